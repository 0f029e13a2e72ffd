//! Tests with replies in other languages than the results.

use super::testing::texts_unsupported_after;

const FLIGHT: &str = r#"{"turn_id":1,"role":"user","content":"HAT271?"},
    {"turn_id":2,"role":"agent","tool_calls":[{"name":"flight","result":{"number":"HAT271","price":1234.5,"seats":3,
        "discount":0.25,"departure":"2024-05-16T17:30:00","arrival":"2024-05-16T19:05:00"}}]}"#;

fn unsupported(reply: &str) -> Vec<String> {
    texts_unsupported_after(FLIGHT, reply)
}

#[test]
fn true_replies_give_no_false_alarm() {
    for reply in [
        "Der Flug HAT271 startet am 16. Mai 2024 um 17.30 Uhr und landet um 19:05 Uhr. Er kostet 1.234,50 €, noch 3 Plätze, 25 % Rabatt.",
        "Am Donnerstag, 16.05.2024: Abflug 17.30, Ankunft 19.05, drei Plätze zu 1.234,50 Euro.",
        "Le vol HAT271 part le 16 mai 2024 à 17 h 30 et arrive à 19h05. Prix : 1 234,50 €, 25 % de remise, trois places.",
        "Départ : 17 h 30 – arrivée : 19 h 05, le jeudi 16/05/2024, pour 1\u{202f}234,50 euros.",
        "El vuelo HAT271 sale el 16 de mayo de 2024 a las 17:30 h y llega a las 19.05. Cuesta 1.234,50 €; quedan tres plazas.",
        "HAT271 går 16. mai 2024 kl. 17.30–19.05 og koster 1 234,50 kr. Det er 3 plasser igjen, 25 % rabatt.",
        "Avgang: 17.30, ankomst: 19.05 den 16.05.2024. Pris: kr 1.234,50.",
        "航班 HAT271 将于 2024年5月16日 17:30 起飞，19：05 抵达，票价为 1,234.50 元，还有3个座位，享25%折扣。",
        "HAT271便は5月16日(木)午後5時30分発、午後7時5分着です。料金は1,234.5円、残り3席、25％引きです。",
        "HAT271편은 5월 16일 오후 5시 30분에 출발합니다. 요금은 1,234.5원, 남은 좌석은 3석입니다.",
        "第1步：确认航班。第2步：付款。",
    ] {
        assert_eq!(unsupported(reply), [""; 0], "{reply}");
    }
}

#[test]
fn invented_values_are_found() {
    for (reply, invented) in [
        ("Er kostet 1.334,50 €.", "1.334,50 €"),
        ("Er startet am 17. Mai 2024.", "17. Mai 2024"),
        ("Abflug um 18.30 Uhr.", "18.30 Uhr"),
        ("Le vol part à 18 h 30.", "18 h 30"),
        ("Le prix est de 1 334,50 €.", "1 334,50 €"),
        ("Sale el 17 de mayo de 2024.", "17 de mayo de 2024"),
        ("Den går kl. 18.30.", "18.30"),
        ("Den koster 1 334,50 kr.", "1 334,50 kr"),
        ("航班将于5月17日起飞。", "5月17日"),
        ("料金は1,334.5円です。", "1,334.5円"),
        ("오후 6시 30분에 출발합니다.", "6시 30분"),
    ] {
        assert_eq!(unsupported(reply), [invented], "{reply}");
    }
}
