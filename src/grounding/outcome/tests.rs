//! Tests error shapes, results that only look like errors, and answers that nothing was found.

use bumpalo::Bump;

use super::*;
use toolgauge_model::testing::arena_json;

/// Returns the outcome of a call of `tool` that returned the JSON value `result`.
fn outcome_from_tool(tool: &str, result: &str) -> Outcome {
    let arena = Bump::new();
    outcome_of(&ToolCall {
        name: Some(tool),
        result: Some(arena_json(&arena, result)),
        ..ToolCall::default()
    })
}

/// Returns the outcome of a call of a tool without a name.
fn outcome(result: &str) -> Outcome {
    outcome_from_tool("", result)
}

/// Returns the outcome of a call that returned the text `result`.
fn outcome_of_plain(tool: &str, result: &str) -> Outcome {
    let text = serde_json::to_string(result).expect("a value of a test");
    outcome_from_tool(tool, &text)
}

/// Returns the outcome of a command that wrote `output`.
fn outcome_of_command(command: &str, output: &str) -> Outcome {
    let arena = Bump::new();
    let arguments = [("command", Json::String(command))];
    outcome_of(&ToolCall {
        name: Some("bash"),
        arguments: Some(Json::Object(&arguments)),
        result: Some(match output.starts_with('{') {
            true => arena_json(&arena, output),
            false => Json::String(output),
        }),
        ..ToolCall::default()
    })
}

/// Returns the outcome of a call of `tool` whose result is `result`, as JSON or as text.
fn outcome_of_either(tool: &str, result: &str) -> Outcome {
    match result.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(result).is_ok() {
        _ if tool == "Bash" => outcome_of_command("run it", result),
        true => outcome_from_tool(tool, result),
        false => outcome_of_plain(tool, result),
    }
}

fn finds_nothing(result: &str) -> bool {
    let arena = Bump::new();
    says_nothing_found(&ToolCall {
        result: Some(arena_json(&arena, result)),
        ..ToolCall::default()
    })
}

#[test]
fn errors_are_understood_in_all_their_shapes() {
    let mut wrong: Vec<String> = Vec::new();
    for result in [
        r#"{"status":"error","message":"no such order"}"#,
        r#"{"isError":true,"content":[{"type":"text","text":"boom"}]}"#,
        r#"{"error":"quota exceeded"}"#,
        r#"{"error":{"code":7,"message":"quota exceeded"}}"#,
        r#"{"success":false}"#,
        r#"{"ok":false,"reason":"late"}"#,
        r#"{"statusCode":404}"#,
        r#"{"status":503,"body":""}"#,
        r#"{"exit_code":1,"stderr":"not found"}"#,
        r#""Error: user not found""#,
        r#""ValueError: bad date""#,
        r#""[error] no route""#,
        r#""HTTP 500: upstream""#,
        r#""404 Not Found""#,
        r#""Command exited with code 2""#,
    ] {
        if !matches!(outcome(result), Outcome::Error(_)) {
            wrong.push(result.to_string());
        }
    }
    assert_eq!(
        outcome(r#"{"error":{"message":"quota"}}"#),
        Outcome::Error("quota".to_owned())
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn objects_report_errors_under_many_keys() {
    let mut wrong: Vec<String> = Vec::new();
    for result in [
        r#"{"errorCode":"CARD_EXPIRED","errorMessage":"The card has expired"}"#,
        r#"{"error_code":17,"error_msg":"quota used up"}"#,
        r#"{"err":"ECONNRESET"}"#,
        r#"{"errcode":40013,"errmsg":"bad appid"}"#,
        r#"{"ok":"false","description":"chat is gone"}"#,
        r#"{"success":0,"message":"stock is too low"}"#,
        r#"{"Success":"False","Error":"disk full"}"#,
        r#"{"isSuccessful":false,"payload":null}"#,
        r#"{"status":"NOT_FOUND","message":"no seat map"}"#,
        r#"{"status":"FAILED_PRECONDITION","details":[]}"#,
        r#"{"status":"unauthorized"}"#,
        r#"{"status":false,"message":"Wrong key"}"#,
        r#"{"status":"404","title":"gone"}"#,
        r#"{"status":"500 Internal Server Error"}"#,
        r#"{"status":{"code":429,"message":"slow down"}}"#,
        r#"{"code":-32603,"message":"Internal error"}"#,
        r#"{"code":429,"msg":"slow down"}"#,
        r#"{"code":"ENOENT","message":"open a.txt"}"#,
        r#"{"code":"RATE_LIMITED","message":"slow down"}"#,
        r#"{"code":"ERR_BAD_RESPONSE","message":"upstream"}"#,
        r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Invalid params"}}"#,
        r#"{"result":{"error":"no such room"}}"#,
        r#"{"data":null,"errors":[{"message":"no access","path":["me"]}]}"#,
        r#"{"data":{"createCart":null},"errors":[{"message":"no access"}]}"#,
        r#"{"errors":{"email":["is taken"]}}"#,
        r#"[{"error":"no such room"}]"#,
        r#"[{"success":false,"error":"a"},{"success":false,"error":"b"}]"#,
        r#"[{"type":"text","text":"Error: no such room"}]"#,
        r#"{"content":[{"type":"text","text":"Failed to open the door"}]}"#,
        r#"{"type":"error-text","value":"the door is shut"}"#,
        r#"{"type":"tool_error","message":"the door is shut"}"#,
        r#"{"type":"https://example.com/probs/out-of-credit","title":"No credit","status":403}"#,
        r#"{"detail":"Not Found"}"#,
        r#"{"detail":"Method Not Allowed"}"#,
        r#"{"detail":[{"loc":["body","day"],"msg":"field required","type":"value_error.missing"}]}"#,
        r#"{"message":"Internal Server Error"}"#,
        r#"{"message":"Endpoint request timed out"}"#,
        r#"{"message":"Not Found","documentation_url":"https://example.com/rest"}"#,
        r#"{"output":null,"exception":"seat taken"}"#,
        r#"{"output":"Error: seat taken"}"#,
        r#"{"response":"{\"error\": \"seat taken\"}"}"#,
        r#"{"body":"{'detail': 'Not Found'}","statusCode":"502"}"#,
        r#"{"result":"error","reason":"seat taken"}"#,
        r#"{"result":"failed","message":"seat taken"}"#,
        r#"{"/srv/a.csv":{"success":false,"message":"no such line"}}"#,
        r#"{"timed_out":true}"#,
        r#"{"returncode":"2","stdout":""}"#,
        r#"{"stdout":"","stderr":"sh: 1: jq: not found","exit_code":0}"#,
        r#""{\"error\": \"seat taken\"}""#,
        r#""{'error': 'seat taken', 'seat': None}""#,
        r#""[{'ok': False, 'reason': 'seat taken'}]""#,
        r#""```json\n{\"success\": false}\n```""#,
    ] {
        if !matches!(outcome(result), Outcome::Error(_)) {
            wrong.push(result.to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn texts_report_errors_in_many_ways() {
    let mut wrong: Vec<String> = Vec::new();
    for text in [
        "Input validation error: 'room' is a required property",
        "MCP error -32001: Request timed out",
        "# Upload Failed\n\nCould not reach the bucket",
        "Tool execution failed: seat taken",
        "Error executing tool book_seat: seat taken",
        "Error occurred while saving",
        "ERROR - no seat",
        "**Error:** no seat",
        "fatal: not a git repository",
        "Fehler: Platz belegt",
        "预订失败: 座位已满",
        "❌ Seat taken",
        "⛔ Seat taken",
        "⚠️ Unable to book the seat",
        "⚠️ Booking failed: seat taken",
        "Request failed with status code 409",
        "AxiosError: Request failed with status code 409",
        "Server responded with a status of 503",
        "HTTP error! Status: 403",
        "409 Conflict: seat taken",
        "<html>\n<head><title>502 Bad Gateway</title></head></html>",
        "Forbidden",
        "The booking could not be completed: seat taken.",
        "Your transfer couldn't be processed.",
        "Unable to book the seat",
        "Sorry, we were unable to book the seat.",
        "Cannot read properties of undefined (reading 'seat')",
        "Failed to book the seat",
        "Something went wrong. Please try again later.",
        "An unexpected error occurred.",
        "Operation not permitted",
        "Access denied for user 'bob'",
        "Rate limit exceeded. Try again in 20 s.",
        "Request timed out after 30 s",
        "Tool call timed out.",
        "The command timed out after 120 seconds",
        "Connection refused",
        "Invalid date format: 31/31/2020",
        "Missing required parameter: seat",
        "Unknown tool: book_seat",
        "Tool 'book_seat' does not exist. Available tools: a, b",
        "Seat 14C not found.",
        "No such file or directory: seats.txt",
        "The user rejected the tool call: user denied permission",
        "User denied permission for this tool",
        "success: false\nerror: seat taken",
        "status: error\nmessage: seat taken",
        "success: false",
        "ok: no\nreason: seat taken",
        "<error>seat taken</error>",
        "<tool_use_error>File has not been read yet.</tool_use_error>",
        "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code></Error>",
        "<soap:Fault><faultstring>seat taken</faultstring></soap:Fault>",
        "<response><status>error</status><message>seat taken</message></response>",
        "<response><success>false</success></response>",
        "<returncode>1</returncode>\n<output>\n</output>",
        "ToolResult(success=False, error='seat taken', data=None)",
        "success=False error='seat taken'",
        "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    go()\nKeyError: 'seat'",
        "step 1\nstep 2\nTraceback (most recent call last):\n  File \"a.py\", line 2\nKeyError: 'seat'",
        "/usr/bin/python3: No module named numpy",
        "ModuleNotFoundError: No module named 'numpy'",
        "bash: line 1: jq: command not found",
        "sh: 1: jq: not found",
        "zsh: command not found: jq",
        "cat: seats.txt: No such file or directory",
        "mkdir: cannot create directory '/x': Permission denied",
        "npm ERR! missing script: build",
        "Killed",
        "Segmentation fault (core dumped)",
        "curl: (7) Failed to connect to localhost port 80",
        "Process finished with exit code 1",
        "Exit code 2\nsome output",
        "some output\n[exit status 3]",
        "Command failed with exit code 127",
        "subprocess returned non-zero exit status 4.",
        "thread 'main' panicked at src/main.rs:2:5: boom",
        "Exception in thread \"main\" java.lang.NullPointerException",
        "TypeError [ERR_INVALID_ARG_TYPE]: path must be a string",
    ] {
        let outcome = outcome_of_plain("", text);
        if !matches!(outcome, Outcome::Error(_)) {
            wrong.push(text.to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_an_action_says_of_itself_is_an_error_where_a_record_would_not_be() {
    let mut wrong: Vec<String> = Vec::new();
    for (tool, result) in [
        ("cancel_order", r#"{"cancelled":false}"#),
        ("CancelOrder", r#"{"canceled":"false","order_id":"A1"}"#),
        ("send_email", r#"{"sent":false}"#),
        ("apply_coupon", r#"{"applied":false,"cart_total":12}"#),
        ("make_payment", r#"{"paid":false,"reason":"limit"}"#),
        ("book_room", r#"{"confirmed":false,"reason":"full"}"#),
        (
            "create_refund",
            r#"{"id":"re_1","amount":5,"currency":"EUR","status":"failed"}"#,
        ),
        (
            "charge_card",
            r#"{"transaction_id":"t1","amount":5,"method":"visa","status":"declined"}"#,
        ),
        ("submit_claim", r#"{"status":"rejected","message":"late"}"#),
        (
            "reserve_table",
            r#""The table cannot be reserved for 20 people.""#,
        ),
        ("make_payment", r#""Payment was declined by the bank.""#),
        ("make_payment", r#""Payment failed.""#),
        ("create_user", r#""A user with this email already exists.""#),
        ("transfer", r#""Not enough credit on this account.""#),
        (
            "create_event",
            r#"{"valid":false,"errors":["the day is in the past"]}"#,
        ),
    ] {
        let outcome = outcome_from_tool(tool, result);
        if !matches!(outcome, Outcome::Error(_)) {
            wrong.push(format!("{tool}: {result}"));
        }
    }
    for (tool, result) in [
        ("get_order", r#"{"cancelled":false,"order_id":"A1"}"#),
        (
            "get_order",
            r#"{"order_id":"A1","total":4,"items":[1],"status":"failed"}"#,
        ),
        (
            "get_job",
            r#"{"id":"j1","queue":"a","tries":3,"status":"failed","error":"out of memory"}"#,
        ),
        ("payment_status", r#"{"status":"failed"}"#),
        (
            "track_application",
            r#"{"status":"rejected","reason":"income"}"#,
        ),
        (
            "track_parcel",
            r#"{"delivered":false,"reason":"in transit"}"#,
        ),
        ("check_domain", r#"{"status":"unavailable"}"#),
        ("get_payment", r#""Payment failed.""#),
        (
            "get_policy",
            r#""Tickets cannot be refunded. Photo identification is required.""#,
        ),
        ("validate_iban", r#""Invalid IBAN""#),
        (
            "validate_form",
            r#"{"valid":false,"errors":["the day is in the past"]}"#,
        ),
        ("run_tests", r#"{"passed":3,"failed":1,"errors":0}"#),
        ("run_tests", r#"{"result":"failed","passed":3}"#),
        ("lint", r#"{"file":"a.ts","errors":[{"line":3}]}"#),
        ("list_jobs", r#"[{"id":1,"status":"failed"}]"#),
        (
            "list_jobs",
            r#"[{"id":1,"name":"a","error":"out of memory"}]"#,
        ),
    ] {
        let outcome = outcome_from_tool(tool, result);
        if outcome != Outcome::Success {
            wrong.push(format!("{tool}: {result}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn results_that_only_look_like_errors_are_none() {
    let mut wrong: Vec<String> = Vec::new();
    for result in [
        r#"{"status":"ok","error":null}"#,
        r#"{"errors":[],"items":[1]}"#,
        r#"{"status":"available","price":404}"#,
        r#"{"exit_code":0,"stdout":"error-free"}"#,
        r#""Errors and how to avoid them: a guide""#,
        r#""No errors""#,
        r#""process exited with code 0""#,
        r#""[see below] for more""#,
        "7",
        "false",
        r#"{"error":"none","rows":3}"#,
        r#"{"error":"","rows":3}"#,
        r#"{"error":{"code":0},"rows":3}"#,
        r#"{"errors":0,"warnings":2}"#,
        r#"{"errors":3,"warnings":2,"file":"a.ts"}"#,
        r#"{"mean":4.2,"error":0.03}"#,
        r#"{"errorCode":0,"data":[1]}"#,
        r#"{"success":true,"errors":["row 3 was left out"],"created":8}"#,
        r#"{"created":["a"],"errors":["b"]}"#,
        r#"{"data":{"me":{"name":"Al"}},"errors":[{"message":"no access to mail"}]}"#,
        r#"{"success":5,"failed":0}"#,
        r#"{"success":0,"failed":0,"total":0}"#,
        r#"{"code":200,"message":"fine"}"#,
        r#"{"code":49,"name":"Germany"}"#,
        r#"{"code":482913,"message":"Your code"}"#,
        r#"{"message":"The order was cancelled"}"#,
        r#"{"message":"No matching rooms"}"#,
        r#"{"status":"cancelled","order_id":"A1"}"#,
        r#"{"level":"error","lines":3}"#,
        r#"{"results":[{"success":false,"error":"a"},{"success":true}]}"#,
        r#"{"title":"Cannot Buy Me Love"}"#,
        r#"[{"type":"text","text":"3 errors were found in the log"}]"#,
    ] {
        if outcome(result) != Outcome::Success {
            wrong.push(result.to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn texts_that_only_speak_of_errors_are_none() {
    let mut wrong: Vec<String> = Vec::new();
    for text in [
        "Error handling in Rust: a guide",
        "Error correction codes: how they work",
        "Standard error: 0.31",
        "Mean absolute error: 4.2%",
        "Margin of error: 3 points",
        "Error: none",
        "Error rate: 0.2%",
        "Last error: none",
        "HTTP 404 is sent when a page is missing.",
        "The status codes 404 and 500 are errors.",
        "Room 404: booked until noon",
        "Found 404 results",
        "No results found.",
        "No errors found.",
        "There were no errors.",
        "0 failed, 12 passed",
        "3 passed, 1 failed",
        "If the payment failed, try again.",
        "Why does my build fail?",
        "What if the file is not found?",
        "Success: the old card is no longer valid",
        "success: true\nerror: none",
        "success: true\ntools:\n- name: a\n  description: fails when not found",
        "Saved. 2 rows were not found and left out.",
        "Order A1\nStatus: failed\nTotal: 4 EUR\nItems: 2",
        "exit code 0\n",
        "See `exit status 1 if nothing was selected` in the manual",
        "Timeout: 30",
        "Rate limit: 100 per hour",
        "<html><head><title>Errors in English</title></head></html>",
        "<table><tr><td>failed</td></tr></table>",
        "❌ parses dates\n✅ parses numbers",
        "src/a.rs:12: return Err(\"permission denied\")",
        "Jane: I cannot come today",
        "Dear Al,\nthe parcel could not be delivered yesterday.",
    ] {
        if outcome_of_plain("", text) != Outcome::Success {
            wrong.push(text.to_string());
        }
    }
    for (tool, text) in [
        (
            "read_file",
            "def go():\n    raise ValueError('seat taken')\n",
        ),
        (
            "search",
            "Access to Justice\nUnable to pay, many people could not go to court.\n",
        ),
        (
            "get_page",
            "Could not a better way be found? The author asks.",
        ),
        ("lookup", "Photo identification is required."),
    ] {
        if outcome_of_plain(tool, text) != Outcome::Success {
            wrong.push(text.to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_command_says_what_its_output_means() {
    let mut wrong: Vec<String> = Vec::new();
    let nothing = r#"{"output":"","exit_code":1,"error":null}"#;
    for (command, output) in [
        ("ps aux | grep [n]ginx", nothing),
        ("cd /srv && rg -n todo src", nothing),
        ("diff a.txt b.txt", r#"{"stdout":"3c3","exit_code":1}"#),
        ("grep -c x a.txt", "Exit code 1"),
        ("cat app.log", "12:01 start\nValueError: seat taken"),
        (
            "tail -n 3 app.log",
            "Error: seat taken\nfatal: seat taken\nbash: a: command not found\nok\n",
        ),
        ("grep -rn fail src", "src/a.rs:3: bail!(\"fatal: no\")"),
        (
            "sed -n 1,9p a.py",
            "Traceback (most recent call last):\nKeyError: 'a'",
        ),
        (
            "ls",
            "a\nb\nc\nd\nls: cannot access 'e': No such file or directory\nf\ng",
        ),
        ("make", "cc -c a.c\na.c:3: warning: unused\ndone"),
    ] {
        let outcome = outcome_of_command(command, output);
        if outcome != Outcome::Success {
            wrong.push(format!("{command}: {output}"));
        }
    }
    for (command, output) in [
        ("make", r#"{"output":"","exit_code":1}"#),
        (
            "grep x a.txt",
            r#"{"output":"grep: a.txt: No such file","exit_code":2}"#,
        ),
        ("cat a.txt", "cat: a.txt: No such file or directory"),
        (
            "xxd a | head",
            r#"{"output":"bash: xxd: command not found","exit_code":0}"#,
        ),
        (
            "python a.py | tail -3",
            r#"{"output":"Traceback (most recent call last):\nKeyError: 'a'","exit_code":0}"#,
        ),
        (
            "make all",
            "cc -c a.c\ncc -c b.c\nok\nok\nok\nok\nok\nmake: *** [all] Error 2",
        ),
        ("git pull", "fatal: not a git repository"),
    ] {
        let outcome = outcome_of_command(command, output);
        if !matches!(outcome, Outcome::Error(_)) {
            wrong.push(format!("{command}: {output}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_words_of_an_error_are_quoted() {
    for (result, words) in [
        (r#"{"success":false,"message":"seat taken"}"#, "seat taken"),
        (r#"{"errors":[{"message":"seat taken"}]}"#, "seat taken"),
        (
            r#"{"isError":true,"content":[{"type":"text","text":"seat taken"}]}"#,
            "seat taken",
        ),
        (
            r#"{"result":{"error":{"message":"seat taken"}}}"#,
            "seat taken",
        ),
        (
            r#""Traceback (most recent call last):\n  File \"a\"\nKeyError: 'seat'""#,
            "KeyError: 'seat'",
        ),
        (r#""{'error': 'seat taken'}""#, "seat taken"),
    ] {
        assert_eq!(
            outcome(result),
            Outcome::Error(words.to_owned()),
            "{result}"
        );
    }
}

#[test]
fn nothing_and_what_can_not_be_read_differ() {
    assert_eq!(outcome("null"), Outcome::Missing);
    assert_eq!(outcome("{}"), Outcome::Empty);
    assert_eq!(outcome("[]"), Outcome::Empty);
    assert_eq!(outcome("\"  \""), Outcome::Empty);
    assert!(matches!(
        outcome(r#""{\"a\": [1, 2""#),
        Outcome::Malformed(_)
    ));
    assert!(matches!(
        outcome(r#""[{\"a\": 1}, {\"b""#),
        Outcome::Malformed(_)
    ));
}

#[test]
fn results_say_that_nothing_was_found() {
    let mut wrong: Vec<String> = Vec::new();
    for result in [
        "null",
        "[]",
        "{}",
        r#""null""#,
        r#""None""#,
        r#""[]""#,
        r#"{"found":false}"#,
        r#"{"found":false,"query":"x","hint":"try y"}"#,
        r#"{"exists":"false","id":"A1"}"#,
        r#"{"results":[],"total":0}"#,
        r#"{"count":0,"items":[],"page":1}"#,
        r#"{"data":{"orders":[]}}"#,
        r#"{"data":null}"#,
        r#"{"flights":[],"message":"Nothing on that day"}"#,
        r#"{"output":[],"exception":null}"#,
        r#"{"status":"not_found","message":"-"}"#,
        r#"{"error":"not found","code":404}"#,
        r#"{"statusCode":404}"#,
        r#"{"error":{"code":"NOT_FOUND","message":"no seat"}}"#,
        r#"{"success":false,"message":"No seat with that number exists"}"#,
        r#""No results found.""#,
        r#""No appointments found for patient X.""#,
        r#""Error: seat not found""#,
        r#""404 Not Found""#,
        r#""Seat 14C does not exist.""#,
        r#""We could not find any seats.""#,
        r#""There are no flights on that day.""#,
        r#""Found 0 seats""#,
        r#""Keine Termine vorhanden""#,
        r#""Aucun résultat""#,
        r#""没有找到结果""#,
        r#"[{"type":"text","text":"No seats available"}]"#,
    ] {
        if !finds_nothing(result) {
            wrong.push(result.to_string());
        }
    }
    assert!(!says_nothing_found(&ToolCall::default()));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn results_that_hold_something_do_not_say_that_nothing_was_found() {
    let mut wrong: Vec<String> = Vec::new();
    for result in [
        "0",
        "true",
        r#""seat 14C""#,
        r#"{"results":[1],"total":1}"#,
        r#"{"count":0,"threshold":7}"#,
        r#"{"found":true}"#,
        r#"{"name":"Al","orders":[]}"#,
        r#"{"total":0,"lines":[{"a":1}]}"#,
        r#"{"error":"quota exceeded"}"#,
        r#"{"success":false,"message":"quota exceeded"}"#,
        r#"{"statusCode":500}"#,
        r#"{"status":"ok"}"#,
        r#"{"deleted":true}"#,
        r#"{"stdout":"","stderr":"","result":null}"#,
        r#""No errors found.""#,
        r#""No problem, it is done""#,
        r#""bash: jq: command not found""#,
        r#""Tool not found""#,
        r#""Now in stock""#,
    ] {
        if finds_nothing(result) {
            wrong.push(result.to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Errors of many tools.
const ERRORS: &[(&str, &str)] = &[
    (
        "create_ticket",
        "Ticket creation failed: project is archived",
    ),
    (
        "create_ticket",
        "Could not create ticket: project is archived",
    ),
    ("create_ticket", "Creation of the ticket was unsuccessful."),
    (
        "create_ticket",
        "Ticket was not created: project is archived",
    ),
    (
        "cancel_booking",
        "The booking has not been cancelled because it already started.",
    ),
    (
        "cancel_booking",
        "Booking cannot be cancelled within 24 hours of departure.",
    ),
    ("cancel_booking", "Cancellation failed."),
    (
        "cancel_booking",
        "Cancellation not possible: past the deadline",
    ),
    (
        "cancel_booking",
        r#"{"cancellation": "failed", "reason": "past the deadline"}"#,
    ),
    (
        "cancel_booking",
        r#"{"message": "Booking cannot be cancelled"}"#,
    ),
    (
        "cancel_booking",
        r#"{"result": {"success": false, "code": "E_LATE"}}"#,
    ),
    (
        "cancel_booking",
        r#"{"data": {"cancelBooking": {"success": false, "message": "late"}}}"#,
    ),
    (
        "cancel_booking",
        r#"{"data": {"cancelBooking": {"userErrors": [{"field": "id", "message": "late"}]}}}"#,
    ),
    (
        "cancel_booking",
        r#"{"status": "fail", "data": {"id": "late"}}"#,
    ),
    (
        "cancel_booking",
        r#"{"status": "ERROR", "error_message": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"Status": "Failure", "Reason": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"meta": {"code": 400, "error_type": "BadRequest", "error_message": "late"}, "data": {}}"#,
    ),
    (
        "cancel_booking",
        r#"{"ack": "Failure", "errors": [{"shortMessage": "late"}]}"#,
    ),
    (
        "cancel_booking",
        r#"{"fault": {"faultstring": "Invalid ApiKey", "detail": {"errorcode": "oauth.v2.InvalidApiKey"}}}"#,
    ),
    (
        "cancel_booking",
        r#"{"errorMessages": ["late"], "errors": {}}"#,
    ),
    ("cancel_booking", r#"{"non_field_errors": ["late"]}"#),
    ("cancel_booking", r#"{"error": true, "reason": "late"}"#),
    ("cancel_booking", r#"{"hasError": true, "msg": "late"}"#),
    (
        "cancel_booking",
        r#"{"Error": {"Code": "AccessDenied", "Message": "late"}}"#,
    ),
    (
        "cancel_booking",
        r#"{"__type": "ValidationException", "message": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"exception": "frappe.exceptions.ValidationError", "exc": "Traceback"}"#,
    ),
    (
        "cancel_booking",
        r#"{"name": "ValidationError", "message": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"http_status": "409", "message": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"response": {"status": 409, "body": "late"}}"#,
    ),
    (
        "cancel_booking",
        r#"{"ok": false, "status": 409, "statusText": "Conflict"}"#,
    ),
    (
        "cancel_booking",
        r#"{"error_type": "Conflict", "detail": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"return_code": -1, "return_msg": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"tool_result": {"is_error": true, "content": "late"}}"#,
    ),
    (
        "cancel_booking",
        r#"{"state": "output-error", "errorText": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"outcome": "failure", "cause": "late"}"#,
    ),
    (
        "cancel_booking",
        r#"{"completed": false, "reason": "late"}"#,
    ),
    ("cancel_booking", r#"{"accepted": false, "reason": "late"}"#),
    (
        "cancel_booking",
        r#"{"operation": "cancel", "success": "false"}"#,
    ),
    ("cancel_booking", r#"{"success": false, "message": "late"}"#),
    ("cancel_booking", r#"Response: {"success": false}"#),
    ("cancel_booking", "Result: error - late"),
    ("cancel_booking", "Status: FAILED\nReason: late"),
    ("cancel_booking", "status=error; message=late"),
    ("cancel_booking", "FAILED: late"),
    ("cancel_booking", "[FAILED] late"),
    ("cancel_booking", "FAIL - late"),
    ("cancel_booking", "ERR_LATE: booking started"),
    ("cancel_booking", "E_CONFLICT: booking started"),
    ("cancel_booking", "ConflictError: booking started"),
    ("cancel_booking", r#"BookingException("late")"#),
    ("cancel_booking", "Exception: late"),
    ("cancel_booking", "Oops! Something went wrong on our side."),
    ("cancel_booking", "We couldn't cancel the booking."),
    ("cancel_booking", "I was unable to cancel the booking: late"),
    (
        "cancel_booking",
        "The system could not process your request at this time.",
    ),
    (
        "cancel_booking",
        "This booking is no longer eligible for cancellation",
    ),
    ("cancel_booking", "Booking is already cancelled."),
    ("cancel_booking", "Error 409: late"),
    (
        "cancel_booking",
        "error 1062 (23000): Duplicate entry 'x' for key 'y'",
    ),
    ("cancel_booking", "API returned 500"),
    ("cancel_booking", "API error (500): late"),
    ("cancel_booking", "Got HTTP status 502 from upstream"),
    ("cancel_booking", "502 Bad Gateway"),
    ("cancel_booking", "504: Gateway Timeout"),
    ("cancel_booking", "429 Too Many Requests - retry in 10s"),
    ("cancel_booking", "422 Validation failed: late"),
    (
        "cancel_booking",
        "rpc error: code = NotFound desc = booking not found",
    ),
    ("cancel_booking", "UNAVAILABLE: io exception"),
    ("cancel_booking", "INVALID_ARGUMENT: bad id"),
    ("cancel_booking", "PERMISSION_DENIED"),
    ("cancel_booking", "context deadline exceeded"),
    ("cancel_booking", "Deadlock found when trying to get lock"),
    ("cancel_booking", "ORA-00942: table or view does not exist"),
    (
        "cancel_booking",
        r#"ERROR:  relation "bookings" does not exist"#,
    ),
    (
        "cancel_booking",
        "psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint",
    ),
    (
        "cancel_booking",
        "sqlite3.OperationalError: no such table: bookings",
    ),
    ("cancel_booking", "Missing authentication token"),
    ("cancel_booking", "Authentication required."),
    (
        "cancel_booking",
        "Your session has expired. Please log in again.",
    ),
    (
        "cancel_booking",
        "You do not have permission to cancel this booking.",
    ),
    (
        "cancel_booking",
        "You are not authorized to perform this action",
    ),
    ("cancel_booking", "Access to this booking is denied."),
    ("cancel_booking", "Action blocked by policy."),
    ("cancel_booking", "Validation failed for field id"),
    ("cancel_booking", "Bad request: id must be a string"),
    ("cancel_booking", "Argument 'id' is required"),
    ("cancel_booking", "Unexpected keyword argument 'foo'"),
    (
        "cancel_booking",
        "cancel_booking() got an unexpected keyword argument 'foo'",
    ),
    (
        "cancel_booking",
        "cancel_booking() missing 1 required positional argument: 'id'",
    ),
    (
        "cancel_booking",
        "1 validation error for CancelBooking\nid\n  Field required [type=missing]",
    ),
    ("cancel_booking", "Tool cancel_booking not found"),
    ("cancel_booking", "No tool named cancel_booking"),
    ("cancel_booking", "Function 'cancel_booking' is not defined"),
    ("cancel_booking", "Tool execution was interrupted."),
    ("cancel_booking", "The tool use was rejected by the user."),
    ("cancel_booking", "[Request interrupted by user]"),
    ("cancel_booking", r#"<error type="late">late</error>"#),
    ("cancel_booking", "<tool_error>late</tool_error>"),
    ("cancel_booking", "<response><error>late</error></response>"),
    ("cancel_booking", "<system>ERROR: late</system>"),
    ("cancel_booking", "<result><ok>false</ok></result>"),
    (
        "cancel_booking",
        "<s:Envelope><s:Body><s:Fault>x</s:Fault></s:Body></s:Envelope>",
    ),
    ("cancel_booking", "🚫 Not allowed"),
    ("cancel_booking", "⚠ The booking could not be cancelled"),
    ("cancel_booking", "⚠️ Error: late"),
    ("cancel_booking", "✗ cancel: late"),
    ("cancel_booking", "cancelled: false\nreason: late"),
    ("cancel_booking", "cancelled: false"),
    ("cancel_booking", "{'cancelled': False, 'reason': 'late'}"),
    ("cancel_booking", "(False, 'late')"),
    ("cancel_booking", "[False, 'late']"),
    ("cancel_booking", "ok: false\nerr: late"),
    ("cancel_booking", "error:\n  code: 409\n  message: late"),
    ("cancel_booking", "error: late\ncode: 409"),
    ("cancel_booking", "Stornierung fehlgeschlagen: zu spät"),
    (
        "cancel_booking",
        "Die Buchung konnte nicht storniert werden.",
    ),
    ("cancel_booking", "La réservation n'a pas pu être annulée."),
    ("cancel_booking", "No se pudo cancelar la reserva."),
    ("cancel_booking", "Bestillingen kunne ikke avbestilles."),
    (
        "Bash",
        "node:internal/modules/cjs/loader:998\n  throw err;\n  ^\n\nError: Cannot find module './x'",
    ),
    ("Bash", "ls: cannot access 'x': No such file or directory"),
    (
        "Bash",
        "error: pathspec 'x' did not match any file(s) known to git",
    ),
    ("Bash", "error[E0425]: cannot find value `x` in this scope"),
    (
        "Bash",
        "./a.sh: line 3: syntax error near unexpected token `fi'",
    ),
    ("Bash", "rm: cannot remove 'x': Permission denied"),
    ("Bash", "tar: x: Cannot open: No such file or directory"),
    ("Bash", "docker: Error response from daemon: no such image"),
    ("Bash", "ssh: connect to host x port 22: Connection refused"),
    ("Bash", "wget: unable to resolve host address 'x'"),
    ("Bash", "E: Unable to locate package x"),
    ("Bash", "pip: command not found"),
    (
        "Bash",
        "ERROR: Could not find a version that satisfies the requirement x",
    ),
    (
        "Bash",
        "-bash: ./x: cannot execute binary file: Exec format error",
    ),
    (
        "Bash",
        "'x' is not recognized as an internal or external command,\noperable program or batch file.",
    ),
    (
        "Bash",
        "x : The term 'x' is not recognized as the name of a cmdlet",
    ),
    ("Bash", "command terminated with exit code 137"),
    ("Bash", "Command timed out after 120000ms"),
    ("Bash", "Error: Command failed with exit code 1: npm test"),
    ("Bash", r#"{"stdout": "", "stderr": "boom", "exitCode": 1}"#),
    (
        "Bash",
        r#"{"stdout": "", "stderr": "bash: x: command not found", "interrupted": false}"#,
    ),
    (
        "Bash",
        r#"{"output": "sh: x: not found", "metadata": {"exit_code": 127}}"#,
    ),
    ("Bash", r#"{"metadata": {"exit": 1}, "output": "boom"}"#),
    ("Read", "File does not exist."),
    ("Read", "File not found: a.txt"),
    ("Read", "EISDIR: illegal operation on a directory, read"),
    (
        "read_file",
        "Error: ENOENT: no such file or directory, open 'a.txt'",
    ),
    ("Edit", "String to replace not found in file."),
    ("get_order", "Order not found"),
    ("get_order", "Unable to retrieve order"),
    ("get_order", r#"{"error": "Order not found"}"#),
    ("get_order", r#"{"status": "error", "message": "db down"}"#),
    ("get_order", r#"{"order_id": "A1", "error": "not found"}"#),
    ("get_order", r#"{"order": null, "error": "db down"}"#),
    ("fetch", "Failed to fetch https://example.com: 403"),
    (
        "fetch",
        "<!DOCTYPE html><html><head><title>404 Not Found</title></head>",
    ),
    (
        "fetch",
        "<html>\r\n<head><title>403 Forbidden</title></head>",
    ),
    ("fetch", "net::ERR_NAME_NOT_RESOLVED at https://x"),
    ("fetch", "getaddrinfo ENOTFOUND x"),
    ("fetch", "connect ECONNREFUSED 127.0.0.1:80"),
    ("fetch", "socket hang up"),
    ("click", "Timeout 30000ms exceeded."),
    (
        "click",
        "Element with index 4 does not exist - retry or use alternative actions",
    ),
    ("sql", "SQL compilation error: Object 'X' does not exist"),
    ("sql", r#"syntax error at or near "FROM""#),
];

/// Results of many tools that contain words for errors but are not errors.
const NO_ERRORS: &[(&str, &str)] = &[
    ("get_weather", r#"{"alerts": [], "status": "clear"}"#),
    (
        "get_order",
        r#"{"order_id": "A1", "status": "cancelled", "refund": {"status": "failed", "amount": 4}}"#,
    ),
    (
        "get_order",
        r#"{"order": {"id": "A1", "status": "failed", "total": 3, "items": [1]}}"#,
    ),
    (
        "list_payments",
        r#"[{"id": "p1", "status": "failed", "amount": 3}, {"id": "p2", "status": "failed", "amount": 4}]"#,
    ),
    (
        "list_payments",
        r#"{"payments": [{"id": "p1", "status": "failed"}]}"#,
    ),
    (
        "get_ticket",
        r#"{"id": 7, "title": "Error on login", "description": "Users cannot log in", "status": "open"}"#,
    ),
    (
        "get_ticket",
        r#"{"id": 7, "title": "Login failed", "error": "500 on submit", "priority": "high", "assignee": "al"}"#,
    ),
    (
        "search_docs",
        "Error codes\n\n401 means that the token is missing.",
    ),
    (
        "search_docs",
        "## Troubleshooting\nIf the upload failed, check the size.",
    ),
    (
        "search_docs",
        r#"{"results": [{"title": "Error 404 explained", "text": "not found"}]}"#,
    ),
    (
        "search_docs",
        "Failed states in history: a list of countries that have ceased to exist.",
    ),
    ("search_docs", "Invalid arguments are logical fallacies."),
    (
        "search_docs",
        "Forbidden City is a palace complex in Beijing.",
    ),
    (
        "search_docs",
        "Unauthorized biography of a singer, published 1999.",
    ),
    ("wiki", "Not Found is an album by a band."),
    ("wiki", "Missing persons: a film of 1933."),
    ("wiki", "Timeout is a magazine about London."),
    ("wiki", "Exception that proves the rule: a saying."),
    ("wiki", "Fatal Attraction is a 1987 film."),
    ("wiki", "Failure is the state of not meeting an objective."),
    (
        "ask",
        "You cannot deduct this cost, since the rules exclude it.",
    ),
    ("calculator", "Infinity"),
    ("calculator", "undefined"),
    (
        "get_logs",
        "2024-01-01 ERROR seat taken\n2024-01-02 ERROR seat taken",
    ),
    (
        "get_logs",
        r#"{"lines": ["ERROR seat taken"], "errors": 1}"#,
    ),
    (
        "run_tests",
        "FAILED tests/a.py::b - assert 1 == 2\n1 failed, 3 passed",
    ),
    ("run_tests", "FAIL src/a.test.ts\nTests: 1 failed"),
    (
        "analyze_code",
        r#"{"errors": [{"line": 3, "message": "unused"}], "file": "a.ts"}"#,
    ),
    ("check_status", r#"{"service": "db", "status": "error"}"#),
    ("check_status", "The payment was declined on May 3."),
    (
        "check_status",
        r#"{"status": "timeout", "checked_at": "x"}"#,
    ),
    (
        "get_flight_status",
        r#"{"flight": "X1", "status": "cancelled"}"#,
    ),
    (
        "get_claim",
        r#"{"claim_id": "c", "status": "denied", "amount": 3, "reason": "late"}"#,
    ),
    (
        "get_claim",
        r#"{"claim_id": "c", "status": "denied", "reason": "late", "filed": "2024", "amount": 5}"#,
    ),
    (
        "get_user",
        r#"{"id": 1, "active": false, "verified": false, "success_rate": 0.2}"#,
    ),
    ("get_user", r#"{"id": 1, "deleted": false}"#),
    ("get_stats", r#"{"failed": 3, "succeeded": 9}"#),
    ("get_stats", r#"{"success": 9, "error": 2, "total": 11}"#),
    ("get_stats", r#"{"errors": {"count": 0}, "ok": 12}"#),
    ("get_stats", r#"{"error_count": 2}"#),
    ("get_model", r#"{"error": 0.13, "accuracy": 0.9}"#),
    (
        "send_message",
        r#"{"status": "sent", "error": null, "errors": null}"#,
    ),
    (
        "send_message",
        r#"{"status": "queued", "error_code": null, "error_message": null, "sid": "x"}"#,
    ),
    (
        "send_message",
        "Message sent: 'the payment failed, please retry'",
    ),
    ("send_message", "Message delivered. It was not rejected."),
    (
        "send_message",
        "Sent to 3 people; 1 address could not be reached.",
    ),
    ("create_note", "Created note 'Error handling'"),
    (
        "create_ticket",
        "Created ticket 12: Login failed with error 500",
    ),
    (
        "create_ticket",
        r#"{"ticket": {"id": 3, "title": "Login failed", "status": "open"}}"#,
    ),
    (
        "create_ticket",
        r#"{"id": 3, "subject": "Error on page", "body": "cannot log in", "status": "open"}"#,
    ),
    ("delete_user", "User deleted. This cannot be undone."),
    (
        "cancel_booking",
        "Your booking is cancelled and must be rebooked within 3 days.",
    ),
    (
        "cancel_booking",
        "Booking A1 cancelled; no refund is available.",
    ),
    (
        "cancel_booking",
        r#"{"cancelled": true, "refundable": false, "refunded": false}"#,
    ),
    (
        "cancel_booking",
        r#"{"status": "cancelled", "refund_issued": false}"#,
    ),
    (
        "update_order",
        r#"{"updated": true, "warnings": ["address was not found on the map"]}"#,
    ),
    (
        "update_order",
        "Order updated. Note: gift wrap is not available for item 2.",
    ),
    ("book", "Booked. A passport is required at check-in."),
    (
        "book_table",
        "Reservation confirmed. Parking is not available on site.",
    ),
    ("enroll", r#"{"enrolled": true, "paid": false}"#),
    (
        "Bash",
        "On branch main\nnothing to commit, working tree clean",
    ),
    ("Bash", "warning: LF will be replaced by CRLF"),
    ("Bash", "a.py\nerror.log\nfatal.txt"),
    ("Bash", "error.log"),
    ("Bash", "0"),
    ("Bash", "tests/test_errors.py::test_not_found PASSED"),
    ("Bash", "commit 3f2\n\n    Fix error: cannot open file"),
    (
        "Bash",
        r#"{"stdout": "done", "stderr": "warning: x is deprecated", "interrupted": false}"#,
    ),
    (
        "Bash",
        r#"{"stdout": "error: none found", "stderr": "", "exit_code": 0}"#,
    ),
    ("Bash", "Cloning into 'x'...\ndone."),
    ("Bash", "Using Python 3.11\nImportError handling ok"),
    (
        "Read",
        "     1\tclass NotFoundError(Exception):\n     2\t    pass",
    ),
    ("Read", "# Errors\n\nHow errors are reported"),
    ("Grep", "src/a.rs:3:    Error: cannot open"),
    ("Grep", "No matches found"),
    ("Glob", "No files found"),
    ("list_files", "errors/\nfailed.txt"),
    (
        "get_email",
        "Subject: Payment failed\nFrom: shop\nDear Al, your payment failed.",
    ),
    (
        "get_email",
        r#"{"from": "shop", "subject": "Payment failed", "body": "Your payment failed."}"#,
    ),
    (
        "get_message",
        r#"{"message": "Your payment failed", "from": "shop"}"#,
    ),
    (
        "http_get",
        r#"{"status": 200, "body": "{\"error\": null}"}"#,
    ),
    (
        "http_get",
        r#"{"statusCode": 200, "headers": {}, "body": "not found in cache"}"#,
    ),
    (
        "get_product",
        r#"{"sku": "404", "available": false, "stock": 0}"#,
    ),
    ("get_room", "Room 500: internal, seats 4"),
    ("get_rooms", "404 - Conference room\n405 - Lobby"),
    (
        "get_policy",
        "Refunds are not allowed after 30 days. A receipt is required.",
    ),
    ("calculate", r#"{"result": -1}"#),
    ("divide", r#"{"result": "Infinity"}"#),
    ("transfer_to_human", "Transfer successful"),
    ("ask_user", "No, I don't want that. It could not be worse."),
    ("ask_user", "The payment failed on my side"),
    ("get_config", "timeout: 30\nretries: 0"),
    (
        "get_schema",
        r#"{"type": "object", "properties": {"error": {"type": "string"}}}"#,
    ),
    (
        "list_codes",
        r#"{"404": "Not Found", "500": "Internal Server Error"}"#,
    ),
    (
        "get_vote",
        r#"{"motion": "M1", "outcome": "rejected", "votes_for": 3, "votes_against": 9}"#,
    ),
    (
        "get_game",
        r#"{"home": "A", "away": "B", "outcome": "home win"}"#,
    ),
    (
        "get_task",
        r#"{"id": "t", "name": "x", "status": "error", "progress": 30, "started": "y"}"#,
    ),
];

#[test]
fn errors_and_results_of_many_tools_differ() {
    let is_error = |(tool, result): &&(&str, &str)| {
        matches!(outcome_of_either(tool, result), Outcome::Error(_))
    };
    let missed: Vec<_> = ERRORS.iter().filter(|row| !is_error(row)).collect();
    let wrong: Vec<_> = NO_ERRORS.iter().filter(is_error).collect();
    assert!(
        missed.is_empty() && wrong.is_empty(),
        "{missed:#?} {wrong:#?}"
    );
}
