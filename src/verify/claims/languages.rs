//! Claims in other languages than English: an auxiliary with a participle, and phrases of failure.

use super::reading::{Voice, What};
use super::sentences::Word;
use super::words::{Verb, is_in, verb};

/// Returns the claim of a sentence that is not English.
pub fn claim(words: &[Word]) -> Option<What> {
    let has = |list: &[&str]| words.iter().any(|word| is_in(list, &word.text));
    let done = words.iter().find_map(|word| participle(&word.text));
    let fails = has(FAILED) && !has(NEGATIONS) || has(ATTEMPTS) && has(NEGATIONS);
    if fails {
        return Some(What::Failed(done));
    }
    let done = done?;
    if !has(AUXILIARIES) || has(PLANS) {
        return None;
    }
    Some(match has(NEGATIONS) {
        true => What::Failed(Some(done)),
        false => What::Done(done, Voice::Perfect),
    })
}

/// Returns the action of a participle.
fn participle(word: &str) -> Option<Verb> {
    let at = PARTICIPLES.binary_search_by_key(&word, |(form, _)| form);
    verb(PARTICIPLES[at.ok()?].1)
}

/// German, French, Spanish and Norwegian participles, with the English verb.
const PARTICIPLES: &[(&str, &str)] = &[
    ("abgesagt", "cancel"),
    ("actualizada", "update"),
    ("actualizado", "update"),
    ("ajouté", "add"),
    ("ajoutée", "add"),
    ("aktualisiert", "update"),
    ("angelegt", "create"),
    ("annulé", "cancel"),
    ("annulée", "cancel"),
    ("anulada", "cancel"),
    ("anulado", "cancel"),
    ("avbestilt", "cancel"),
    ("avlyst", "cancel"),
    ("añadida", "add"),
    ("añadido", "add"),
    ("bestellt", "order"),
    ("bestilt", "order"),
    ("betalt", "pay"),
    ("bezahlt", "pay"),
    ("booket", "book"),
    ("borrada", "delete"),
    ("borrado", "delete"),
    ("cambiada", "change"),
    ("cambiado", "change"),
    ("cancelada", "cancel"),
    ("cancelado", "cancel"),
    ("commandé", "order"),
    ("commandée", "order"),
    ("creada", "create"),
    ("creado", "create"),
    ("créé", "create"),
    ("créée", "create"),
    ("eingetragen", "enter"),
    ("eliminada", "delete"),
    ("eliminado", "delete"),
    ("endret", "change"),
    ("enregistré", "save"),
    ("enregistrée", "save"),
    ("entfernt", "remove"),
    ("enviada", "send"),
    ("enviado", "send"),
    ("envoyé", "send"),
    ("envoyée", "send"),
    ("erstattet", "refund"),
    ("erstellt", "create"),
    ("fjernet", "remove"),
    ("flyttet", "move"),
    ("gebucht", "book"),
    ("gekündigt", "cancel"),
    ("gelöscht", "delete"),
    ("geschickt", "send"),
    ("gesendet", "send"),
    ("gespeichert", "save"),
    ("geändert", "change"),
    ("guardada", "save"),
    ("guardado", "save"),
    ("hinzugefügt", "add"),
    ("kansellert", "cancel"),
    ("lagret", "save"),
    ("lagt", "add"),
    ("modificada", "change"),
    ("modificado", "change"),
    ("modifié", "change"),
    ("modifiée", "change"),
    ("oppdatert", "update"),
    ("opprettet", "create"),
    ("overført", "transfer"),
    ("pagada", "pay"),
    ("pagado", "pay"),
    ("payé", "pay"),
    ("payée", "pay"),
    ("pedido", "order"),
    ("reembolsada", "refund"),
    ("reembolsado", "refund"),
    ("refundert", "refund"),
    ("remboursé", "refund"),
    ("remboursée", "refund"),
    ("reservada", "book"),
    ("reservado", "book"),
    ("reservert", "reserve"),
    ("reserviert", "reserve"),
    ("réservé", "book"),
    ("réservée", "book"),
    ("sendt", "send"),
    ("slettet", "delete"),
    ("storniert", "cancel"),
    ("supprimé", "delete"),
    ("supprimée", "delete"),
    ("vereinbart", "arrange"),
    ("verschickt", "send"),
    ("verschoben", "move"),
    ("versendet", "send"),
    ("zurückerstattet", "refund"),
    ("überwiesen", "transfer"),
];

/// Auxiliaries of completed actions.
const AUXILIARIES: &[&str] = &[
    "ai", "avons", "ble", "blitt", "er", "est", "está", "están", "ha", "habe", "haben", "han",
    "har", "he", "hemos", "ist", "sido", "sind", "sont", "worden", "wurde", "wurden", "été",
];

/// Auxiliaries of plans, wishes, possibilities and conditions.
const PLANS: &[&str] = &[
    "allons",
    "cuando",
    "dès",
    "falls",
    "hvis",
    "kan",
    "kann",
    "können",
    "könnte",
    "lorsque",
    "möchte",
    "möchten",
    "når",
    "peux",
    "podemos",
    "pourrait",
    "pouvons",
    "puedo",
    "quiere",
    "si",
    "skal",
    "sobald",
    "soll",
    "sollte",
    "souhaitez",
    "vais",
    "vamos",
    "vil",
    "voulez",
    "voy",
    "wenn",
    "werde",
    "werden",
    "ønsker",
];

/// Words that negate a claim.
const NEGATIONS: &[&str] = &[
    "aldri", "aucun", "aucune", "ikke", "ingen", "jamais", "kein", "keine", "keinen", "nicht",
    "nie", "ninguna", "ningún", "no", "nunca", "ohne", "pas", "sans", "sin", "uten",
];

/// Auxiliaries of attempts: "konnte nicht", "no se pudo".
const ATTEMPTS: &[&str] = &["konnte", "konnten", "kunne", "pude", "pudimos", "pudo"];

/// Words of failures.
const FAILED: &[&str] = &[
    "erreur",
    "fallado",
    "falló",
    "fehler",
    "fehlgeschlagen",
    "feilet",
    "gescheitert",
    "mislykket",
    "mislyktes",
    "échoué",
];
