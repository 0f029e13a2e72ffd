//! Results that only acknowledge a call: they contain nothing that a reply could repeat.

use super::purpose::Purpose;
use toolgauge_facts::{Token, WordList};
use toolgauge_model::{Json, start_of};

/// The longest text, in bytes, that may count as an acknowledgement.
const LONGEST_TEXT: usize = 400;

/// The most words that an acknowledgement may have, not counting those that the arguments of the call contain.
const MOST_WORDS: usize = 30;

/// The most words in a text that says that nothing was found.
const MOST_WORDS_OF_NOTHING: usize = 24;

/// The most values in a result that only acknowledges.
const MOST_VALUES: usize = 24;

/// The most characters in a number that counts bytes or lines.
const MOST_DIGITS: usize = 9;

/// The most bytes of the arguments that are searched for what a result echoes.
const MOST_ECHOED: usize = 20_000;

/// Words that report success, whatever the tool does.
static SUCCESS: WordList = WordList::of(
    "acknowledged completed done éxito erfolg erfolgreich erledigt exitosamente fertig ferdig fullført ok okay réussi \
    réussie succeeded succès success successful successfully vellykket",
);

/// Words that report a change, in the result of a tool that changes something.
pub static CHANGED: WordList = WordList::of(
    "accepted actualizado actualizada added agregado ajouté aktualisiert allocated angelegt annulé annulée appended \
    applied approved archived assigned attached bestellt bestilt blocked booked cancelado cancelada canceled cancelled \
    changed charged cleared closed committed configured confirmada confirmado confirmed connected converted copied \
    créé créée created credited deactivated deleted delivered deployed disabled dismissed downloaded edited eliminado \
    eliminada emailed enabled endret enregistré enregistrée enviado enviada envoyé envoyée erstattet erstellt executed \
    exported extended filed finished fjernet flagged forwarded gebucht gelöscht generated gesendet gespeichert \
    guardado guardada hinzugefügt imported increased initialized inserted installed invited issued joined kansellert \
    lagret lagt launched linked loaded locked logged lowered marked merged modified moved mis notified oppdatert \
    opened opprettet ordered paid paused placed posted prepared processed published purchased pushed queued quitada \
    raised rebooked received recorded réservé reduced refunded registered released removed renamed replaced reported \
    requested reservado reserved reset resolved restarted restored resumed returned réservée revoked saved scheduled \
    sent set shared shipped slettet started stopped storniert stored submitted subscribed supprimé supprimée swapped \
    synced terminated transferred turned uninstalled unlocked unsubscribed updated upgraded uploaded verified waived \
    withdrawn written wrote",
);

/// Words at the start of a text that says that there is nothing.
static NOTHING_FIRST: WordList = WordList::of(
    "aucun aucune empty ingen ingenting kein keine keiner leer nada nichts ningún ninguna ninguno no none nothing \
    rien tom vacío vide zero",
);

/// Phrases that say that there is nothing, anywhere in a text.
const NOTHING: [&str; 22] = [
    "0 items",
    "0 matches",
    "0 records",
    "0 results",
    "0 rows",
    "could not be found",
    "could not find",
    "couldn't find",
    "did not find",
    "does not exist",
    "ikke funnet",
    "is empty",
    "keine ergebnisse",
    "nicht gefunden",
    "no matches",
    "no matching",
    "no output",
    "no records",
    "no results",
    "no se encontr",
    "not found",
    "nothing found",
];

/// Keys whose values describe the run of the tool rather than what it found.
static OF_THE_RUN: WordList = WordList::of(
    "annotations bytes checksum code created_at createdat duration duration_ms duration_s duration_seconds elapsed \
    elapsed_ms etag execution_time exit_code exitcode file_hash finished_at hash http_status latency latency_ms \
    lines_written md5 meta modified_at pid request_id requestid return_code returncode revision runtime sha sha256 \
    started_at stderr status_code statuscode time_ms timestamp took took_ms tool_calls_made total_lines trace_id \
    type updated_at updatedat written bytes_written byteswritten version",
);

/// The texts of a call's arguments, used to recognise what its result only repeats.
pub struct Echoes(String);

impl Echoes {
    /// Collects the texts of these arguments.
    pub fn of(arguments: Option<Json<'_>>) -> Self {
        let mut text = String::new();
        add_texts(arguments.unwrap_or_default(), &mut text);
        Self(text)
    }

    /// Checks whether the arguments contain `text`, ignoring case.
    fn hold(&self, text: &str) -> bool {
        !text.is_empty() && self.0.contains(&text.to_lowercase())
    }
}

/// Adds the strings and numbers of `json` to `text`, in lower case and one per line.
fn add_texts(json: Json<'_>, text: &mut String) {
    if text.len() > MOST_ECHOED {
        return;
    }
    match json {
        Json::Null | Json::Bool(_) => {}
        Json::Number(number) => {
            text.push_str(&number.to_string());
            text.push('\n');
        }
        Json::String(value) => {
            text.push_str(&start_of(value, MOST_ECHOED).to_lowercase());
            text.push('\n');
        }
        Json::Array(items) => items.iter().for_each(|item| add_texts(*item, text)),
        Json::Object(members) => members
            .iter()
            .for_each(|(_, value)| add_texts(*value, text)),
    }
}

/// Checks whether `result` says no more than that the call worked or found nothing, or repeats its arguments.
pub fn acknowledges(result: Json<'_>, purpose: Purpose, echoes: &Echoes) -> bool {
    let mut left = MOST_VALUES;
    says_nothing("", result, purpose, echoes, &mut left)
}

fn says_nothing(
    key: &str,
    value: Json<'_>,
    purpose: Purpose,
    echoes: &Echoes,
    left: &mut usize,
) -> bool {
    let Some(fewer) = left.checked_sub(1) else {
        return false;
    };
    *left = fewer;
    match value {
        Json::Null | Json::Bool(_) => true,
        Json::Number(number) => {
            // A number without a key is an answer, not a count of what was done.
            (is_of_the_run(key) || (purpose == Purpose::Change && !key.is_empty()))
                || echoes.hold(&number.to_string())
        }
        Json::String(text) => {
            is_of_the_run(key) && text.len() <= LONGEST_TEXT
                || is_acknowledging(text, purpose, echoes)
        }
        Json::Array(items) => items
            .iter()
            .all(|item| says_nothing(key, *item, purpose, echoes, left)),
        Json::Object(members) => members
            .iter()
            .all(|(key, value)| says_nothing(key, *value, purpose, echoes, left)),
    }
}

fn is_of_the_run(key: &str) -> bool {
    !key.is_empty() && Token::of_word(key).says_one_of(&OF_THE_RUN)
}

/// Checks whether a text in a result only acknowledges the call.
fn is_acknowledging(text: &str, purpose: Purpose, echoes: &Echoes) -> bool {
    let text = text.trim();
    if text.len() > LONGEST_TEXT {
        return false;
    }
    if text.is_empty() || echoes.hold(text) || is_nothing(text) {
        return true;
    }
    let text = without_tags(text);
    let (mut words, mut is_reported, mut has_value) = (0, false, false);
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        if word.is_empty() || echoes.hold(word) {
            continue;
        }
        words += 1;
        has_value |= is_value(word);
        is_reported |= word
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .any(|part| reports(part, purpose));
    }
    let is_code = words == 1 && text.split_whitespace().all(is_exit_code);
    !has_value && words <= MOST_WORDS && (words == 0 || is_reported || is_code)
}

/// Checks whether a word reports that the tool did what it was asked to do.
fn reports(word: &str, purpose: Purpose) -> bool {
    let word = Token::of_word(word);
    word.says_one_of(&SUCCESS)
        || match purpose {
            Purpose::Lookup => false,
            Purpose::Change | Purpose::Operation | Purpose::Unknown => word.says_one_of(&CHANGED),
        }
}

/// Checks whether a word is a value that a reply could pass on: a code, or a number with a fraction or a sign.
fn is_value(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_count = word.len() <= MOST_DIGITS
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',');
    has_digit && !is_count && !word.contains('/')
}

fn is_exit_code(word: &str) -> bool {
    word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Checks whether a text says that nothing was found or printed.
pub fn is_nothing(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let text = start_of(text, LONGEST_TEXT).to_lowercase();
    let words = text.split_whitespace().count();
    if words > MOST_WORDS_OF_NOTHING {
        return false;
    }
    let first = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let begins = !first.is_empty() && Token::of_word(first).says_one_of(&NOTHING_FIRST);
    begins || NOTHING.iter().any(|phrase| text.contains(phrase))
}

/// Returns a text without its tags, for example `<output>` and `</output>`.
fn without_tags(text: &str) -> String {
    let mut parts = text.split('<');
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        bare.push(' ');
        bare.push_str(part.split_once('>').map_or(part, |(_, rest)| rest));
    }
    bare
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    fn says_nothing(tool: &str, arguments: &str, result: &str) -> bool {
        let arena = Bump::new();
        let echoes = Echoes::of(Some(arena_json(&arena, arguments)));
        acknowledges(arena_json(&arena, result), Purpose::of_name(tool), &echoes)
    }

    #[test]
    fn acknowledgements_hold_nothing_to_repeat() {
        for (tool, arguments, result) in [
            ("escalate", "{}", r#""Handover completed""#),
            ("patch_file", "{}", r#""The patch was applied.""#),
            (
                "store_note",
                r#"{"slot":"draft_7b"}"#,
                r#""OK: stored under the slot: draft_7b""#,
            ),
            (
                "save_file",
                r#"{"path":"/srv/a1.txt"}"#,
                r#""Wrote 2,048 bytes to /srv/a1.txt""#,
            ),
            (
                "upload",
                "{}",
                r#"{"bytes_written":77,"dirs_created":false}"#,
            ),
            ("terminal", "{}", r#"{"stdout":"","stderr":"","code":0}"#),
            (
                "shell",
                "{}",
                r#""<returncode>0</returncode>\n<output>\n</output>""#,
            ),
            ("shell", "{}", r#""(no output)""#),
            ("run", "{}", r#""Process finished with exit code 0""#),
            ("find_guests", "{}", r#""No guests found.""#),
            ("find_guests", "{}", r#"{"output":"No matching guests"}"#),
            ("lister_clients", "{}", r#""Aucun client trouvé""#),
            ("kunden_suchen", "{}", r#""Keine Kunden gefunden.""#),
            (
                "set_basket",
                "{}",
                r#"{"status":"success","message":"Basket updated.","changed":true}"#,
            ),
            (
                "patch",
                "{}",
                r#"{"/a/b.md":{"result":"ok","file_hash":"a41f9c","reason":null}}"#,
            ),
            ("eliminar", "{}", r#""Eliminado con éxito""#),
            ("set_status", r#"{"id":"Q-77"}"#, r#"{"id":"Q-77"}"#),
        ] {
            assert!(says_nothing(tool, arguments, result), "{tool}: {result}");
        }
    }

    #[test]
    fn results_that_hold_something_are_no_acknowledgements() {
        for (tool, result) in [
            ("get_parcel", r#""Parcel delivered at the back door""#),
            ("get_parcel", r#"{"state":"delivered"}"#),
            ("get_price", r#"{"price":12.5}"#),
            ("count_rows", r#"{"rows":4211}"#),
            ("open_case", r#""Case KX-2210 was opened""#),
            ("pay", r#"{"status":"success","receipt":"RC99812"}"#),
            ("weather", r#""Rain until noon, then sun""#),
            ("list_rooms", r#"["Fjord","Berg"]"#),
        ] {
            assert!(!says_nothing(tool, "{}", result), "{tool}: {result}");
        }
    }
}
