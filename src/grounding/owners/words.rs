//! Word lists that show how a sentence uses a value.

use toolgauge_facts::WordList;

/// Words that introduce a condition; an amount in a condition is a limit.
pub static CONDITIONS: WordList = WordList::of("if unless wenn falls si hvis");

/// Words that answer a question.
pub static ANSWERS: WordList = WordList::of("yes no true false ja nein oui non sí nei");

/// Words between a name and a statement about it.
pub static COPULAS: WordList = WordList::of(
    "is was are were status state currently now has been the ist war sind est était es está er var",
);

/// Words that make a sentence hypothetical or negative.
pub static GUARDS: WordList = WordList::of(
    "if unless until till once when whether or not no none never can cannot could would should will may might must \
     instead rather than except both either neither change changed changing switch from isn aren wasn doesn don \
     wenn falls oder nicht kein keine kann wird si ou pas ne sera puede será hvis eller ikke kan vil",
);

/// Words with which the user asks for something other than the current subject.
pub static OTHERS: WordList = WordList::of(
    "other others another else different more instead change alternative alternatives next andere anderes autre autres      otro otra otros annen annet andre",
);

/// Words for a change; after a change, a value of another record may be the new value.
pub static CHANGES: WordList = WordList::of(
    "update updated updating change changed changing modify modified move moved exchange exchanged replace replaced \
     switch switched swap swapped set apply requested proposed",
);

/// Words between the values of two records that are compared.
pub static VERSUS: WordList =
    WordList::of("vs versus against compared than gegenüber contre frente mot");

/// Words between a time and an event before or after it.
pub static AROUND: WordList = WordList::of(
    "before after until till by vor nach bis avant après antes después hasta etter før",
);

/// Words for amounts that are calculated from several values.
pub static SUMS: WordList = WordList::of(
    "margin difference total totals combined sum average mean together overall altogether majority extra savings lead \
     additional summe differenz durchschnitt insgesamt somme différence moyenne suma diferencia promedio",
);

/// Words for what something costs.
pub static COSTS: WordList = WordList::of(
    "cost costs price priced total fare pay charge charged amount kostet preis coûte prix cuesta precio koster pris",
);

/// Words that make a value belong to something else, or to nothing.
pub static ELSEWHERE: WordList = WordList::of(
    "not never isn aren wasn doesn other another different instead nicht nie andere anderen pas jamais autre nunca otro \
     otra ikke aldri annen andre",
);

/// Words before a value that replaces another one.
pub static TARGETS: WordList =
    WordList::of("to with into new by for zu auf neu neue à nouveau nouvelle a nuevo nueva til ny");
