//! Conversations in rows, each with the issues expected for its last reply.

use bumpalo::Bump;

use super::{claimed_actions, contradictions, spans};
use toolgauge_formats::import_trajectory;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};
use toolgauge_schema::ToolSet;

/// A call with its result, as JSON.
type Call<'c> = (&'c str, &'c str, &'c str);

/// Builds the turn of a user with a request.
fn user(text: &str) -> String {
    format!(r#"{{"role":"user","content":{text:?}}}"#)
}

/// Builds the turn of an agent with calls and a text.
fn agent(calls: &[Call<'_>], text: &str) -> String {
    let calls: Vec<_> = calls
        .iter()
        .map(|(name, arguments, result)| {
            format!(r#"{{"name":"{name}","arguments":{arguments},"result":{result}}}"#)
        })
        .collect();
    let content = serde_json::to_string(text).expect("a text");
    let calls = calls.join(",");
    let calling = format!(r#"{{"role":"agent","content":"","tool_calls":[{calls}]}}"#);
    format!(r#"{calling},{{"role":"agent","content":{content}}}"#)
}

/// Returns the calls that replies contradict, and the claims without a call.
fn reported(turns: &[String]) -> (Vec<usize>, Vec<String>) {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let text = format!("[{}]", turns.join(","));
    let text = text.replacen("{\"role\"", "{\"turn_id\":1,\"role\"", 1);
    let imported = import_trajectory(arena_json(&arena, &text), None, reader).expect("turns");
    let spans = spans(&imported.value);
    let found = contradictions(&imported.value, &spans)
        .into_iter()
        .enumerate();
    let contradicted = found.filter_map(|(at, found)| found.map(|_| at));
    let claimed = claimed_actions(&imported.value, &spans, &ToolSet::not_given()).into_iter();
    (
        contradicted.collect(),
        claimed.map(|claimed| claimed.quote).collect(),
    )
}

fn contradicted(calls: &[Call<'_>], reply: &str) -> Vec<usize> {
    reported(&[user("Please do."), agent(calls, reply)]).0
}

/// Returns whether the reply claims an action after these calls, which only look things up.
fn claims(calls: &[Call<'_>], request: &str, reply: &str) -> bool {
    let before = agent(&[("get_profile", "{}", r#"{"name":"Ada"}"#)], "Hello Ada.");
    !reported(&[user("Hi."), before, user(request), agent(calls, reply)])
        .1
        .is_empty()
}

const MAIL: Call<'_> = (
    "send_email",
    r#"{"to":"lin@example.org"}"#,
    r#"{"status":"sent","message_id":"m-9"}"#,
);
const FAILED_MAIL: Call<'_> = (
    "send_email",
    r#"{"to":"lin@example.org"}"#,
    r#"{"error":"mailbox full"}"#,
);

#[test]
fn replies_that_deny_a_success_are_reported() {
    for reply in [
        "The email was not sent.",
        "The email has not been sent.",
        "I could not send the email.",
        "I was unable to send the email.",
        "I've been unable to deliver the email, sorry.",
        "There was an error sending the email.",
        "The email failed to send.",
        "Unfortunately, the e-mail couldn't be sent.",
        "I ran into a problem while sending the email.",
        "Sending the email did not work. Shall I retry?",
        "Sorry, the delivery didn't go through.",
        "I wasn't able to send your message. Would you like me to try again?",
        "I tried to send it, but something went wrong.",
        "My attempt to send the email was unsuccessful.",
        "The mail server rejected the email, so it was not sent.",
        "Leider konnte die E-Mail nicht gesendet werden: fehlgeschlagen.",
        "Envoi du message : échoué.",
    ] {
        assert_eq!(contradicted(&[MAIL], reply), [0], "{reply}");
    }
    for reply in [
        "The email has been sent.",
        "The email was sent without any errors.",
        "I sent it. Nothing failed.",
        "Your email is on its way; no problems were reported.",
        "If the email was not sent, tell me.",
        "I can't attach files to the email.",
        "I haven't sent the second email yet.",
        "I sent the email to Lin, but I couldn't find Bo's address.",
        "Why was the email not sent?",
        "Your mail from Monday failed because the box was full; the new one has been sent.",
        "You mentioned that \"the email could not be sent\".",
    ] {
        assert!(contradicted(&[MAIL], reply).is_empty(), "{reply}");
    }
}

#[test]
fn replies_that_deny_a_failure_are_reported() {
    for reply in [
        "The email has been sent.",
        "Done!",
        "All set! I emailed Lin.",
        "I've sent the email to Lin.",
        "Email sent successfully.",
        "Great, your message was sent to Lin.",
        "I went ahead and sent it.",
        "Success: sent the email to Lin.",
        "Die E-Mail wurde erfolgreich gesendet.",
        "Le message a été envoyé.",
        "El correo ha sido enviado.",
        "E-posten er sendt.",
    ] {
        assert_eq!(contradicted(&[FAILED_MAIL], reply), [0], "{reply}");
    }
    for reply in [
        "The email was not sent: the mailbox is full.",
        "Unfortunately the mailbox of Lin is full.",
        "I'll send the email once the mailbox has space.",
        "Would you like me to send it again?",
        "The email could not be sent, but I've saved it.",
        "After the email has been sent, you will get a copy.",
        "Die E-Mail wurde nicht gesendet.",
        "You have sent this email before.",
    ] {
        assert!(contradicted(&[FAILED_MAIL], reply).is_empty(), "{reply}");
    }
}

#[test]
fn replies_that_contradict_a_search_are_reported() {
    let find = |result| ("find_customer", r#"{"email":"lin@example.org"}"#, result);
    for result in [
        r#"{"found":false}"#,
        r#"{"customers":[]}"#,
        r#"{"error":"customer not found"}"#,
        r#""No customer found""#,
        "[]",
    ] {
        for reply in [
            "Yes, I found the customer lin@example.org.",
            "I've located Lin's customer record.",
            "There is 1 customer: Lin Ochoa, since 2019.",
        ] {
            assert_eq!(
                contradicted(&[find(result)], reply),
                [0],
                "{result} {reply}"
            );
        }
        for reply in [
            "I couldn't find a customer with that address.",
            "No customer was found. How about another address?",
            "There is no such customer.",
        ] {
            assert!(
                contradicted(&[find(result)], reply).is_empty(),
                "{result} {reply}"
            );
        }
    }
    let found = find(r#"{"id":"C-88","name":"Lin Ochoa"}"#);
    for reply in [
        "I couldn't find any customer.",
        "No customer was found.",
        "Sorry, I did not find any customers that match.",
        "My search returned no customers. Would you like to try another address?",
        "I searched, but found nothing: there are no matching customers.",
    ] {
        assert_eq!(contradicted(&[found], reply), [0], "{reply}");
    }
    for reply in [
        "Lin Ochoa is customer C-88.",
        "I found no other customers.",
        "I couldn't find any customers with more than two orders.",
        "There are no open invoices for C-88.",
    ] {
        assert!(contradicted(&[found], reply).is_empty(), "{reply}");
    }
}

/// Collects the rows with a wrong outcome.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    /// Records the row of `reply` unless its outcome is right.
    fn note(&mut self, is_right: bool, reply: &str) {
        if !is_right {
            self.0.push(reply.to_owned());
        }
    }
}

#[test]
fn replies_that_deny_a_successful_look_up_are_reported() {
    let mut wrong = Wrong::default();
    let invoice = (
        "get_invoice",
        r#"{"id":"INV-31"}"#,
        r#"{"id":"INV-31","amount":120.5,"state":"open"}"#,
    );
    let trains = (
        "search_trains",
        r#"{"from":"Bergen","to":"Oslo"}"#,
        r#"{"trains":[{"number":"R-62","leaves":"08:01"}]}"#,
    );
    let cases: &[(Call<'_>, &[&str])] = &[
        (
            invoice,
            &[
                "Looking up invoice INV-31 failed: it could not be completed.",
                "The lookup of the invoice failed.",
                "The invoice lookup failed.",
                "The look-up for your invoice was unsuccessful.",
                "I could not look up the invoice.",
                "Sorry, I couldn't retrieve your invoice.",
                "I was unable to fetch invoice INV-31.",
                "I wasn't able to pull up the invoice. Shall I try again?",
                "I failed to load your invoice.",
                "The system failed to retrieve the invoice.",
                "An error occurred while retrieving the invoice.",
                "There was an error retrieving invoice INV-31.",
                "I ran into a problem while looking up the invoice.",
                "I encountered an issue when trying to access your invoice.",
                "Something went wrong while fetching the invoice.",
                "I tried to look up the invoice, but the request failed.",
                "I attempted to retrieve your invoice, but it timed out.",
                "Unfortunately, the invoice could not be retrieved.",
                "Retrieving the invoice timed out.",
                "Fetching it did not work.",
                "The lookup could not be completed.",
                "My attempt to retrieve the invoice was unsuccessful.",
            ],
        ),
        (
            trains,
            &[
                "Searching for trains returned an error.",
                "The train search failed.",
                "The search for trains didn't work.",
                "The search threw an error. Please try again later.",
                "My search ran into an error.",
                "The query timed out.",
                "Loading the timetable failed.",
                "While searching for trains, an error occurred.",
            ],
        ),
    ];
    for (call, replies) in cases {
        for reply in *replies {
            wrong.note(contradicted(&[*call], reply) == [0], reply);
        }
    }
    for reply in [
        "Invoice INV-31 is open; its amount is 120.50.",
        "Your payment of the invoice failed.",
        "The invoice failed to reach you.",
        "If looking up the invoice failed, I would say so.",
        "Did the lookup of the invoice fail?",
        "Looking up the invoice did not fail.",
        "No lookup failed.",
        "I could not look up the other invoice.",
        "I can't look up invoices of other customers.",
        "The search of your bags was completed, and nobody failed.",
        "The credit check failed.",
        "Looking at the invoice, the payment failed.",
        "I looked up the invoice, but I couldn't check whether it was paid.",
        "I found the invoice. An error occurred while retrieving the receipt.",
        "You said that the lookup failed.",
        "Your first search failed, so here is the invoice: 120.50, open.",
        "I could not check if it was delivered.",
        "An error occurred while processing your payment.",
    ] {
        wrong.note(contradicted(&[invoice], reply).is_empty(), reply);
    }
    let reply = "The train search failed.";
    wrong.note(contradicted(&[invoice, trains], reply) == [1], reply);
    for reply in [
        "The request failed.",
        "The lookup failed.",
        "Looking it up failed.",
    ] {
        wrong.note(contradicted(&[invoice, trains], reply).is_empty(), reply);
    }
    let failed = ("get_invoice", "{}", r#"{"error":"timeout"}"#);
    for reply in [
        "The lookup of the invoice failed.",
        "I could not look up the invoice.",
    ] {
        wrong.note(contradicted(&[failed], reply).is_empty(), reply);
    }
    assert_eq!(wrong.0, Vec::<String>::new());
}

#[test]
fn replies_that_report_a_failed_action_by_its_noun_are_reported() {
    let mut wrong = Wrong::default();
    let failed = |name| (name, "{}", r#"{"error":"the service refused it"}"#);
    let worked = |name| (name, "{}", r#"{"id":"X-1"}"#);
    for (name, reply) in [
        ("make_payment", "Your payment went through."),
        ("make_payment", "The payment was successful."),
        ("charge_card", "Great news: your payment has gone through!"),
        ("pay_invoice", "Payment successful."),
        ("transfer_money", "The transfer succeeded."),
        ("transfer_money", "Your transfer has been successful."),
        ("book_room", "Your booking is in."),
        ("book_room", "Your booking is in place."),
        (
            "book_room",
            "I'm happy to say that your booking was a success.",
        ),
        ("upload_file", "The upload worked."),
        ("upload_file", "Uploading the file worked."),
        (
            "cancel_order",
            "The cancellation went through, and you will get an email.",
        ),
        ("send_email", "The email went through."),
        ("deploy_app", "The deployment is live."),
        ("update_address", "Your changes are in effect."),
        (
            "issue_refund",
            "Good news! The refund went through smoothly.",
        ),
        ("make_payment", "It went through."),
        ("make_payment", "Everything worked."),
    ] {
        wrong.note(contradicted(&[failed(name)], reply) == [0], reply);
        wrong.note(contradicted(&[worked(name)], reply).is_empty(), reply);
    }
    for reply in [
        "The payment did not go through.",
        "The payment was not successful.",
        "Once the payment is successful, you get a receipt.",
        "I'll write to you when the payment went through.",
        "Has the payment gone through?",
        "Your first payment went through.",
        "The booking is in March.",
        "If your payment succeeded, the bank shows it.",
        "Your payment went through last week.",
    ] {
        wrong.note(
            contradicted(&[failed("make_payment")], reply).is_empty(),
            reply,
        );
    }
    for reply in [
        "Your payment went through.",
        "Your transfer was successful!",
        "The booking is in.",
    ] {
        wrong.note(claims(&[], "Yes, go ahead.", reply), reply);
    }
    for (request, reply) in [
        ("Did it go through?", "Your payment went through."),
        ("Go ahead.", "Your payment went through on May 3."),
        ("Go ahead.", "The payment will be successful."),
        ("Go ahead.", "Our last transfer was successful."),
        ("Tell me more.", "The merger was a success."),
        ("Tell me more.", "The check was successful."),
    ] {
        wrong.note(!claims(&[], request, reply), reply);
    }
    assert_eq!(wrong.0, Vec::<String>::new());
}

#[test]
fn a_claim_is_compared_with_the_call_that_fits() {
    let book = (
        "book_room",
        r#"{"room":"R-204"}"#,
        r#"{"booking_id":"B-1"}"#,
    );
    let cases: &[(&[Call<'_>], &str, &[usize])] = &[
        (&[FAILED_MAIL, MAIL], "The email has been sent.", &[]),
        (&[FAILED_MAIL, book], "I've booked the room.", &[]),
        (
            &[FAILED_MAIL, book],
            "I've booked the room and sent the email.",
            &[0],
        ),
        (
            &[book, FAILED_MAIL],
            "I've booked the room. The email to Lin was sent, too.",
            &[1],
        ),
        (
            &[book, FAILED_MAIL],
            "The room is booked, but the email could not be sent.",
            &[],
        ),
        (
            &[(
                "bash",
                r#"{"cmd":"make"}"#,
                r#"{"exit_code":2,"stderr":"no rule"}"#,
            )],
            "I fixed the build.",
            &[],
        ),
        (
            &[(
                "cancel_order",
                r#"{"id":"O-12"}"#,
                r#"{"error":"order is already cancelled"}"#,
            )],
            "Your order has been cancelled.",
            &[],
        ),
        (
            &[
                (
                    "delete_alarm",
                    r#"{"alarm_id":"a-11"}"#,
                    r#"{"error":"no such alarm"}"#,
                ),
                ("delete_alarm", r#"{"alarm_id":"a-12"}"#, r#"{"ok":true}"#),
            ],
            "I have deleted all of your alarms.",
            &[0],
        ),
        (
            &[(
                "book_table",
                r#"{"time":"18:00"}"#,
                r#"{"time":"18:30","place":"Lark"}"#,
            )],
            "I was not able to book the table at that time.",
            &[],
        ),
    ];
    for (calls, reply, wanted) in cases {
        assert_eq!(contradicted(calls, reply), *wanted, "{reply}");
    }
}

#[test]
fn actions_without_a_call_are_reported() {
    let read = (
        "get_order",
        r#"{"id":"O-77"}"#,
        r#"{"id":"O-77","state":"delivered"}"#,
    );
    for reply in [
        "Done! I have refunded the order to your card.",
        "I've cancelled order O-77.",
        "Your order has been cancelled.",
        "Okay, I sent the receipt to your email.",
        "Email sent successfully to kim@example.org.",
        "I went ahead and unlocked your account.",
        "I found your order and cancelled it.",
        "Success: created ticket T-4.",
        "Ihre Bestellung wurde storniert.",
    ] {
        assert!(claims(&[read], "Do it.", reply), "{reply}");
        assert!(claims(&[], "Do it.", reply), "{reply}");
    }
    for reply in [
        "It's done.",
        "Your table is booked.",
        "The reservation was made.",
        "Booking complete.",
        "The payment is complete, enjoy!",
        "Your music is playing.",
        "All done. Here is the summary:\n- Upgraded to business\n- Charged 20 dollars",
    ] {
        assert!(claims(&[], "Yes, go ahead.", reply), "{reply}");
    }
}

#[test]
fn statements_about_other_actions_are_not_reported() {
    let read = (
        "get_order",
        r#"{"id":"O-77"}"#,
        r#"{"id":"O-77","state":"cancelled"}"#,
    );
    for reply in [
        "I will cancel the order now.",
        "Would you like me to cancel it?",
        "I can cancel the order if it has not been shipped.",
        "Once the refund has been processed, you get an email.",
        "Your order was cancelled by the airline.",
        "Your order was placed on May 3 and has already been cancelled.",
        "Your order has been cancelled.",
        "You cancelled the order yourself.",
        "As you mentioned, it has been paid.",
        "Nothing has been changed.",
        "No changes have been made yet.",
        "I have not cancelled anything.",
        "I couldn't refund the order.",
        "Please confirm that the order has been cancelled.",
        "According to our records the fee has been waived.",
        "I found your order and checked it.",
        "I've verified your account.",
        "I've written a summary of your plan.",
        "Refunds are processed within a week, and orders are confirmed by email.",
        "A reservation is confirmed only after payment.",
        "To proceed, I need:\n- the order to be cancelled\n- the reason",
        "Planned actions:\n- Cancelled order O-77\n- Refund to card",
        "> I've cancelled it.\nIs that what the message said?",
        "The message reads \"I have cancelled your order.\"",
        "Great advances have been made in medicine.",
        "How was the order cancelled? The system says nothing.",
    ] {
        assert!(!claims(&[read], "What about O-77?", reply), "{reply}");
    }
}

#[test]
fn calls_that_may_have_acted_support_a_claim() {
    for (name, reply) in [
        ("cancel_order", "I've cancelled the order."),
        ("modify_order", "The refund has been processed."),
        ("bash", "I've deleted the files."),
        ("GetTaxi", "Your taxi has been booked."),
        ("reserve_table", "Your table is booked."),
        ("do_it", "I've sent the message."),
    ] {
        let call = (name, "{}", r#"{"ok":true}"#);
        assert!(!claims(&[call], "Go.", reply), "{reply}");
        let turns = [
            user("Go."),
            agent(&[call], reply),
            user("Thanks. Sure?"),
            agent(&[], reply),
        ];
        assert!(reported(&turns).1.is_empty(), "earlier: {reply}");
    }
    let alarm = ("add_alarm", r#"{"time":"07:00"}"#, r#"{"id":1}"#);
    let turns = |second: &str| {
        [
            user("Wake me at 7."),
            agent(&[alarm], "I set an alarm for 7 am."),
            user("And?"),
            agent(&[], second),
        ]
    };
    assert!(reported(&turns("I've set an alarm for 7 am.")).1.is_empty());
    assert!(!reported(&turns("I've set an alarm for 9 am.")).1.is_empty());
    assert!(!reported(&turns("I've sent Bo a message.")).1.is_empty());
    let refused = ("book_table", "{}", "[]");
    let turns = [
        user("Book it."),
        agent(&[refused], "Sorry, I couldn't book that one."),
        user("Then at 9."),
        agent(&[], "It's booked!"),
    ];
    assert_eq!(reported(&turns).1, ["It's booked!"]);
}

#[test]
fn a_chat_without_tools_is_reported_only_for_actions_beyond_text() {
    let chat = |reply: &str| {
        let turns = [
            user("Please."),
            format!(r#"{{"role":"agent","content":{reply:?}}}"#),
        ];
        !reported(&turns).1.is_empty()
    };
    assert!(chat("I've stored that as a memory."));
    assert!(chat("Your flight has been cancelled."));
    assert!(!chat("I've updated the paragraph and added an example."));
    assert!(!chat("Done! Here is the poem."));
}

#[test]
fn hostile_replies_take_little_work() {
    let parts = [
        "I have not been ",
        "“",
        "\"",
        "....",
        "and sent ",
        "- ",
        "no no not ",
        "'s",
    ];
    for part in parts {
        let reply = part.repeat(60_000 / part.len());
        reported(&[user("Hi."), agent(&[MAIL, FAILED_MAIL], &reply)]);
    }
}

#[test]
fn a_thing_and_a_participle_claim_the_action() {
    let failed = |tool| contradicted_by(tool, r#"{"status":"error"}"#);
    for (tool, reply) in [
        ("send_email", "Email sent!"),
        ("send_email", "Your email sent."),
        ("create_file", "File created!"),
        ("send_sms", "Okay. Messages sent!"),
        ("set_alarm", "Alarm set."),
        ("cancel_order", "Order cancelled."),
    ] {
        assert!(failed(tool)(reply), "{reply}");
        assert!(claims(&[], "Do it.", reply), "{reply}");
    }
    let worked = contradicted_by("send_email", r#"{"status":"sent"}"#);
    assert!(!worked("Email sent!"));
    for reply in [
        "Email not sent.",
        "Emails you sent:",
        "File created on May 3 by the admin.",
        "The last email sent was empty.",
        "No email sent.",
        "Was the email sent?",
        "Here is the file created yesterday.",
    ] {
        assert!(!failed("send_email")(reply), "{reply}");
        assert!(!claims(&[], "Do it.", reply), "{reply}");
    }
}

/// Returns whether a reply contradicts the result of a call.
fn contradicted_by(tool: &'static str, result: &'static str) -> impl Fn(&str) -> bool {
    move |reply| !contradicted(&[(tool, "{}", result)], reply).is_empty()
}
