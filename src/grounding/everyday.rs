//! Tests with replies as agents write them in many domains: rounded, converted, counted, worked out.

use super::testing::texts_unsupported_after;

fn unsupported(result: &str, reply: &str) -> Vec<String> {
    let turns = format!(
        r#"{{"turn_id":1,"role":"user","content":"Please look."}},
        {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look","arguments":{{}},"result":{result}}}]}}"#
    );
    texts_unsupported_after(&turns, reply)
}

const EVENTS: &str = r#"{"events":[{"title":"Standup","start":"2024-05-16T09:00:00+02:00","end":"2024-05-16T09:15:00+02:00"},
    {"title":"Design review","start":"2024-05-16T13:00:00+02:00","end":"2024-05-16T14:30:00+02:00"}]}"#;
const CART: &str = r#"{"items":[{"sku":"TS-001","qty":2,"unit_price":19.99},{"sku":"MG-014","qty":1,"unit_price":12.5}],
    "shipping":4.95,"discount_percent":10}"#;
const FLIGHTS: &str = r#"[{"no":"DY601","price":699,"stops":0},{"no":"SK243","price":799,"stops":0},{"no":"DY607","price":1099,"stops":1}]"#;
const SALES: &str = r#"[{"month":"2024-01","sum":1200},{"month":"2024-02","sum":1500},{"month":"2024-03","sum":1800}]"#;
const DISK: &str = r#"{"size_bytes":512110190592,"used_bytes":384082642944}"#;
const COUNTRY: &str = r#"{"population":5550203,"area_km2":385207,"gdp_usd":485513000000}"#;
const VIDEO: &str = r#"{"duration_seconds":5400,"views":1203455,"likes":50321,"share":0.2537}"#;
const ACCOUNT: &str = r#"{"balance_cents":1254075,"url":"https://example.org/accounts/7741","temp_c":21.4,"distance_km":12.2}"#;

#[test]
fn true_replies_give_no_false_alarm() {
    for (result, reply) in [
        (
            EVENTS,
            "Standup, 9:00–9:15 AM (15 minutes), and the review, 1:00 PM–2:30 PM (1 hour 30 minutes, 1.5 hours).",
        ),
        (
            CART,
            "3 items: 2 T-shirts at $19.99 each ($39.98) and a mug at $12.50. The subtotal is $52.48; with the 10% \
             discount you save $5.25, so with shipping of $4.95 your total is $52.18.",
        ),
        (
            FLIGHTS,
            "I found 3 flights; 2 of them are nonstop. DY601 at 699 kr is 100 kr less than SK243 and 400 kr less than DY607.",
        ),
        (
            SALES,
            "1,200, then 1,500 and 1,800: a total of 4,500, on average 1,500. That is up by 25% and then by 20%.",
        ),
        (
            DISK,
            "512 GB, of which 384 GB (75%) are used; 128 GB are free.",
        ),
        (
            COUNTRY,
            "About 5.55 million people on 385,207 km², nearly 390,000, and a GDP of roughly $485.5 billion.",
        ),
        (
            VIDEO,
            "It takes 1.5 hours (90 minutes), has 1.2 million views, over 50,000 likes (about 50K), 25% shared.",
        ),
        (
            ACCOUNT,
            "Account 7741 has €12,540.75. It is 21 °C (71 °F) there, 7.6 miles away.",
        ),
    ] {
        assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
    }
}

#[test]
fn invented_numbers_are_found() {
    for (result, reply, invented) in [
        (EVENTS, "The review takes 2 hours 45 minutes.", "45"),
        (CART, "With the 10% discount you save $6.25.", "$6.25"),
        (CART, "You have 4 items.", "4"),
        (FLIGHTS, "17 of them are nonstop.", "17"),
        (SALES, "That is up by 35%.", "35%"),
        (DISK, "It has 612 GB.", "612"),
        (COUNTRY, "About 5.65 million people.", "5.65 million"),
        (COUNTRY, "Over 490,000 km².", "490,000"),
        (VIDEO, "It takes 95 minutes.", "95"),
        (VIDEO, "It has 1.3 million views.", "1.3 million"),
        (VIDEO, "27% are shared.", "27%"),
        (ACCOUNT, "The balance is €12,640.75.", "€12,640.75"),
        (ACCOUNT, "It is 75 °F there.", "75"),
    ] {
        let found = unsupported(result, reply);
        assert!(found.contains(&invented.to_owned()), "{reply}: {found:?}");
    }
}
