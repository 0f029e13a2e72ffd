//! Words that say how a sentence speaks of a value.

use toolgauge_facts::WordList;

/// Words of conditions, whose amounts are limits.
pub static CONDITIONS: WordList = WordList::of("if unless wenn falls si hvis");

/// Words that answer a question.
pub static ANSWERS: WordList = WordList::of("yes no true false ja nein oui non sí nei");

/// Words between a name and what is said of it.
pub static COPULAS: WordList = WordList::of(
    "is was are were status state currently now has been the ist war sind est était es está er var",
);

/// Words that make a sentence say what may be, or is not.
pub static GUARDS: WordList = WordList::of(
    "if unless until till once when whether or not no none never can cannot could would should will may might must \
     instead rather than except both either neither change changed changing switch from isn aren wasn doesn don \
     wenn falls oder nicht kein keine kann wird si ou pas ne sera puede será hvis eller ikke kan vil",
);

/// Words with which the user asks for something else than what was spoken of.
pub static OTHERS: WordList = WordList::of(
    "other others another else different more instead change alternative alternatives next andere anderes autre autres      otro otra otros annen annet andre",
);

/// Words for a change, after which the value of another record may be the new one.
pub static CHANGES: WordList = WordList::of(
    "update updated updating change changed changing modify modified move moved exchange exchanged replace replaced \
     switch switched swap swapped set apply requested proposed",
);

/// Words between two values of two records.
pub static VERSUS: WordList =
    WordList::of("vs versus against compared than gegenüber contre frente mot");

/// Words between a time and what happens before or after it.
pub static AROUND: WordList = WordList::of(
    "before after until till by vor nach bis avant après antes después hasta etter før",
);

/// Words for what is worked out of several values.
pub static SUMS: WordList = WordList::of(
    "margin difference total totals combined sum average mean together overall altogether majority extra savings lead \
     additional summe differenz durchschnitt insgesamt somme différence moyenne suma diferencia promedio",
);

/// Words for what something costs.
pub static COSTS: WordList = WordList::of(
    "cost costs price priced total fare pay charge charged amount kostet preis coûte prix cuesta precio koster pris",
);

/// Words that make a value one of something else, or of nothing.
pub static ELSEWHERE: WordList = WordList::of(
    "not never isn aren wasn doesn other another different instead nicht nie andere anderen pas jamais autre nunca otro \
     otra ikke aldri annen andre",
);

/// Words before a value that takes the place of another one.
pub static TARGETS: WordList =
    WordList::of("to with into new by for zu auf neu neue à nouveau nouvelle a nuevo nueva til ny");
