//! Shapes of errors, of results that only look like errors, and of answers that nothing was found.

use bumpalo::Bump;

use super::*;
use crate::model::testing::arena_json;

/// The outcome of a call of `tool` that returned `result`, as JSON.
fn outcome_from_tool(tool: &str, result: &str) -> Outcome {
    let arena = Bump::new();
    outcome_of(&ToolCall {
        name: Some(tool),
        result: Some(arena_json(&arena, result)),
        ..ToolCall::default()
    })
}

/// The outcome of a call of a tool without a name.
fn outcome(result: &str) -> Outcome {
    outcome_from_tool("", result)
}

/// The outcome of a call that returned the text `result`.
fn outcome_of_plain(tool: &str, result: &str) -> Outcome {
    outcome_from_tool(tool, &Json::String(result).to_json())
}

/// The outcome of a command that wrote `output`.
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

fn finds_nothing(result: &str) -> bool {
    let arena = Bump::new();
    says_nothing_found(&ToolCall {
        result: Some(arena_json(&arena, result)),
        ..ToolCall::default()
    })
}

impl Json<'_> {
    fn to_json(self) -> String {
        serde_json::to_string(&self).expect("a value of a test")
    }
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
            wrong.push(format!("{result}"));
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
            wrong.push(format!("{result}"));
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
            wrong.push(format!("{text}"));
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
            wrong.push(format!("{result}"));
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
            wrong.push(format!("{text}"));
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
            wrong.push(format!("{text}"));
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
            wrong.push(format!("{result}"));
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
        r#""No errors found.""#,
        r#""No problem, it is done""#,
        r#""bash: jq: command not found""#,
        r#""Tool not found""#,
        r#""Now in stock""#,
    ] {
        if finds_nothing(result) {
            wrong.push(format!("{result}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
