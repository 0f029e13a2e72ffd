//! Classifies tools by their purpose, based on their name and arguments.
//!
//! Four recognisers classify tools for different ends, with different words. This one asks what a reply owes to a
//! result: an answer to a lookup, a report of a change, nothing for an operation. `outcome/purpose.rs` asks how to read
//! a result: whether "not found" is an error, an answer or the finding of a test. `ToolNature` asks whether repeating a
//! call is a loop. The claims of result verification ask whether a call can have done what a reply claims.

use toolgauge_facts::{Token, WordList};

use toolgauge_model::{ToolCall, ToolNature, start_of, words_of};

/// The purpose of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The tool looks something up.
    Lookup,
    /// The tool changes something; the reply reports that it was done.
    Change,
    /// The tool runs commands, works on files or operates something; the agent reads its output to continue.
    Operation,
    /// The name of the tool does not show its purpose.
    Unknown,
}

/// Verbs in the names of tools that change something.
static CHANGES: WordList = WordList::of(
    "acheter activate add ajouter anadir anlegen annuler append apply approve archive assign attach authorize \
    añadir bestill bestille bid block book buchen buy call cancel cancelar cerrar change charge checkout clear \
    close comment commit comprar confirm convert copy crear create credit créer deactivate delete deploy dial dim \
    disable dismiss dispatch donate download edit eliminar email enable endre enregistrer enviar envoyer escalate \
    exchange extend file fill fjern follow fork forward grant guardar hire import increase initialize insert \
    install invite issue joue jouer kanseller kaufen kjøp lagre lease link lock log louer löschen mark merge \
    mieten modify move mute notify open opprett order patch pause pay place play post process publish purchase \
    push put react rebook record redeem reduce refund register release remove rename renew rent reorder replace \
    reply request reschedule reservar reserve reserver reset resolve respond restart restore resume return revoke \
    réserver save schedule send senden set share ship sign slett speichern spill start stop store stornieren \
    submit subscribe supprimer suspend swap switch sync terminate tip toggle transfer turn tweet unblock undo \
    unfollow uninstall unlock unsubscribe update upgrade upload vote waive wire withdraw write",
);

/// Verbs in the names of tools that look something up.
static LOOKUPS: WordList = WordList::of(
    "are browse buscar calc calculate check chercher compare compute consultar convert count describe detect \
    estimate evaluate fetch find finn forecast get has hent hämta identify inspect is list lister lookup look lookup \
    measure obtener predict preview query quote rank read recherche recommend retrieve scan search see show suchen \
    suggest summarize trouver validate verify view vis",
);

/// Nouns at the end of a name without a verb that name what the tool looks up: `order_status`.
static LOOKED_UP: WordList = WordList::of(
    "availability balance catalog count details forecast history info information overview price prices rates results \
    schedule statistics stats status summary",
);

/// Words in the names of tools that work on files.
static FILES: WordList = WordList::of(
    "cat codebase dir directory editor file files filesystem folder glob grep ls repo repository workspace",
);

/// Names of tools that work on files. Only the whole name counts.
static WHOLE_OPERATIONS: WordList =
    WordList::of("cat cd edit find glob grep ls multiedit open patch read rg sed view write");

/// Words in the names of tools that look up a person or an account.
static IDENTITIES: WordList = WordList::of(
    "account auth authenticate authentication borger caller client cliente contact credentials customer email \
    employee guest holder identify identity individual kunde login member mitglied paciente passenger patient pasient \
    person phone profile student subscriber tenant user username usuario utilisateur verification verify",
);

impl Purpose {
    /// Returns the purpose of the tool that `call` calls.
    pub fn of(call: &ToolCall<'_>) -> Self {
        match ToolNature::of(call) {
            ToolNature::Command | ToolNature::Gesture => Self::Operation,
            ToolNature::Plain | ToolNature::Waiting => Self::of_name(call.name.unwrap_or_default()),
        }
    }

    /// Returns the purpose of a tool by its name alone.
    pub fn of_name(name: &str) -> Self {
        let words = name_words(name);
        let has = |list: &WordList| words.iter().any(|word| says(word, list));
        let first = |list: &WordList| words.first().is_some_and(|word| says(word, list));
        let files_something = words.len() > 1 && words[0] == "file";
        if (has(&FILES) && !files_something) || (words.len() == 1 && first(&WHOLE_OPERATIONS)) {
            Self::Operation
        } else if first(&LOOKUPS) || words.last().is_some_and(|word| says(word, &LOOKED_UP)) {
            Self::Lookup
        } else if has(&CHANGES) {
            Self::Change
        } else if has(&LOOKUPS) {
            Self::Lookup
        } else {
            Self::Unknown
        }
    }
}

/// Checks whether the tool of `call` looks up a person or an account.
pub fn looks_up_identity(call: &ToolCall<'_>) -> bool {
    let words = name_words(call.name.unwrap_or_default());
    words.iter().any(|word| says(word, &IDENTITIES))
}

/// Splits a tool name into words, without the name of the server before it.
fn name_words(name: &str) -> Vec<String> {
    let name = start_of(name, 200);
    let name = name.rsplit("__").next().unwrap_or(name);
    words_of(name)
}

fn says(word: &str, list: &WordList) -> bool {
    Token::of_word(word).says_one_of(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_what_a_tool_is_for() {
        for (name, purpose) in [
            ("get_invoice", Purpose::Lookup),
            ("listBookings", Purpose::Lookup),
            ("mcp__crm__find_customer", Purpose::Lookup),
            ("cancel_booking", Purpose::Change),
            ("orderUpdate", Purpose::Change),
            ("read_file", Purpose::Operation),
            ("Grep", Purpose::Operation),
            ("order_status", Purpose::Lookup),
            ("file_complaint", Purpose::Change),
            ("weather", Purpose::Unknown),
            ("", Purpose::Unknown),
        ] {
            assert_eq!(Purpose::of_name(name), purpose, "{name}");
        }
    }
}
