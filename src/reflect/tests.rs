//! Static checks and repairs of whole calls, and general properties.

use bumpalo::Bump;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use toolgauge_formats::{WrittenCall, import_tools};
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};
use toolgauge_schema::{Compiler, ToolSet};

fn compiled(tools: &Value) -> ToolSet {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let tools = import_tools(arena_json(&arena, &tools.to_string()), reader).expect("tools");
    ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("valid schemas")
}

fn with<T>(
    call: &Value,
    run: impl for<'a> FnOnce(&WrittenCall<'a>, Reader<'a>) -> toolgauge_model::error::Result<T>,
) -> T {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let source = arena_json(&arena, &call.to_string());
    run(&WrittenCall::read(source, reader), reader).expect("within the limits")
}

/// Returns the checks that `call` fails, and the result as JSON.
fn checked(tools: &ToolSet, call: &Value) -> (Vec<String>, Value) {
    let check = with(call, |written, reader| {
        let specification = Specification::Tools(tools);
        let check = check_tool_call(written, specification, Limits::default(), reader)?;
        Ok(serde_json::to_value(&check).expect("JSON"))
    });
    let metrics = check["metrics"].as_object().expect("metrics");
    let failed = metrics
        .iter()
        .filter(|(_, metric)| metric["valid"] == false);
    (failed.map(|(name, _)| name.clone()).collect(), check)
}

fn repaired(tools: &ToolSet, call: &Value) -> Value {
    with(call, |written, reader| {
        let specification = Specification::Tools(tools);
        let repair = repair_tool_call(written, specification, Limits::default(), reader)?;
        Ok(serde_json::to_value(&repair).expect("JSON"))
    })
}

fn kinds(repair: &Value) -> Vec<&str> {
    let changes = repair["changes"].as_array().expect("changes");
    changes
        .iter()
        .map(|change| change["kind"].as_str().expect("a kind"))
        .collect()
}

fn forecast() -> ToolSet {
    compiled(&json!([{
        "name": "get_forecast",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "minLength": 2},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
                "hourly": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "integer"}},
                "area": {"type": "object", "properties": {"zip": {"type": "string"}}, "additionalProperties": false},
                "kind": {"const": "weather"},
                "at": {"anyOf": [{"type": "integer"}, {"type": "object"}]}
            },
            "required": ["city", "unit"]
        }
    }, {"name": "list_cities", "parameters": {"type": "object", "properties": {}}}]))
}

fn call(arguments: Value) -> Value {
    json!({"name": "get_forecast", "arguments": arguments})
}

#[test]
fn each_check_fails_for_its_own_fault() {
    let tools = forecast();
    for (arguments, failed) in [
        (json!({"city": "Oslo", "unit": "celsius"}), &[][..]),
        (
            json!({"city": "Oslo", "unit": "celsius", "wind": 1}),
            &["non_existent_parameter"],
        ),
        (
            json!({"city": "Oslo", "unit": "celsius", "days": "3"}),
            &["incorrect_parameter_type"],
        ),
        (json!({"city": "Oslo"}), &["missing_required_parameter"]),
        (
            json!({"city": "Oslo", "unit": "kelvin"}),
            &["allowed_values_violation"],
        ),
        (
            json!({"city": "Oslo", "unit": 3}),
            &["incorrect_parameter_type", "allowed_values_violation"],
        ),
        (
            json!({"city": "O", "unit": "celsius"}),
            &["json_schema_violation"],
        ),
        (
            json!({"city": "Oslo", "unit": "celsius", "area": {"zap": 1}}),
            &["json_schema_violation"],
        ),
        (
            json!([1]),
            &["incorrect_parameter_type", "invalid_tool_call"],
        ),
    ] {
        let (found, check) = checked(&tools, &call(arguments.clone()));
        assert_eq!(found, failed, "{arguments}");
        assert_eq!(check["overall_valid"], found.is_empty(), "{arguments}");
        assert_eq!(check["score"], f64::from(u8::from(found.is_empty())));
    }
    for (call, failed) in [
        (
            json!({"name": "get_weather", "arguments": {}}),
            "non_existent_function",
        ),
        (json!({"arguments": {}}), "invalid_tool_call"),
        (
            json!({"name": "list_cities", "arguments": "{\"a\":"}),
            "invalid_tool_call",
        ),
        (json!([]), "invalid_tool_call"),
        (
            json!({"name": "list_cities", "incomplete": true}),
            "invalid_tool_call",
        ),
    ] {
        assert_eq!(checked(&tools, &call).0, [failed], "{call}");
    }
    assert!(
        checked(&tools, &json!({"name": "list_cities"}))
            .0
            .is_empty()
    );
}

#[test]
fn tools_that_are_missing_or_invalid_fail_their_own_checks() {
    for (specification, failed) in [
        (Specification::Empty, "empty_api_spec"),
        (
            Specification::Invalid("no type \"txt\""),
            "invalid_api_spec",
        ),
    ] {
        let check = with(&call(json!({})), |written, reader| {
            let check = check_tool_call(written, specification, Limits::default(), reader)?;
            Ok(serde_json::to_value(&check).expect("JSON"))
        });
        assert_eq!(check["metrics"][failed]["valid"], false);
        assert_eq!(check["overall_valid"], false);
    }
}

#[test]
fn each_kind_of_repair_makes_a_call_valid() {
    let tools = forecast();
    let right = json!({"city": "Oslo", "unit": "celsius"});
    let and = |more: Value| {
        let mut all = right.clone();
        let members = more.as_object().expect("an object").clone();
        all.as_object_mut().expect("an object").extend(members);
        all
    };
    for (arguments, becomes, done) in [
        (and(json!({"wind": 1})), right.clone(), &["dropped"][..]),
        (and(json!({"hourly": null})), right.clone(), &["dropped"]),
        (
            and(json!({"days": "3"})),
            and(json!({"days": 3})),
            &["converted"],
        ),
        (
            and(json!({"days": [3.0]})),
            and(json!({"days": 3})),
            &["converted"],
        ),
        (
            and(json!({"hourly": "True"})),
            and(json!({"hourly": true})),
            &["converted"],
        ),
        (
            and(json!({"hourly": 1})),
            and(json!({"hourly": true})),
            &["converted"],
        ),
        (
            and(json!({"tags": "7"})),
            and(json!({"tags": [7]})),
            &["converted", "converted"],
        ),
        (
            and(json!({"tags": "[7]"})),
            and(json!({"tags": [7]})),
            &["parsed_json"],
        ),
        (
            and(json!({"area": "{\"zip\":\"0150\"}"})),
            and(json!({"area": {"zip": "0150"}})),
            &["parsed_json"],
        ),
        (
            and(json!({"area": {"zip": 150}})),
            and(json!({"area": {"zip": "150"}})),
            &["converted"],
        ),
        (
            and(json!({"area": {"zap": 1}})),
            and(json!({"area": {}})),
            &["dropped"],
        ),
        (
            and(json!({"at": "4"})),
            and(json!({"at": 4})),
            &["converted"],
        ),
        (
            json!({"city": " Oslo ", "unit": "Celsius"}),
            json!({"city": " Oslo ", "unit": "celsius"}),
            &["converted"],
        ),
        (json!({"city": "Oslo"}), right.clone(), &["filled"]),
        (
            json!({"City": "Oslo", "unit": "celsius"}),
            json!({"unit": "celsius", "city": "Oslo"}),
            &["renamed"],
        ),
        (json!({"arguments": right}), right.clone(), &["unwrapped"]),
        (
            json!({"name": "get_forecast", "parameters": right}),
            right.clone(),
            &["unwrapped"],
        ),
        (
            json!({"args": {"input": right.to_string()}}),
            right.clone(),
            &["unwrapped", "unwrapped"],
        ),
        (json!([right]), right.clone(), &["unwrapped"]),
        (
            json!(format!("```json\n{right}\n```")),
            right.clone(),
            &["parsed_json"],
        ),
        (
            json!("{'city': 'Oslo', 'unit': 'celsius'}"),
            right.clone(),
            &["parsed_json"],
        ),
    ] {
        let repair = repaired(&tools, &call(arguments.clone()));
        assert_eq!(repair["status"], "repaired", "{arguments}: {repair}");
        assert_eq!(repair["arguments"], becomes, "{arguments}");
        assert_eq!(kinds(&repair), done, "{arguments}");
        assert!(
            checked(&tools, &repair["toolCall"]).0.is_empty(),
            "{arguments}"
        );
        let message = repair["message"].as_str().expect("a message");
        assert!(
            message.starts_with("The call of \"get_forecast\" was repaired before it ran: "),
            "{message}"
        );
    }
}

#[test]
fn the_tool_is_corrected_only_if_the_meaning_is_clear() {
    let tools = forecast();
    let right = json!({"city": "Oslo", "unit": "celsius"});
    for name in [
        "getForecast",
        "get_forcast",
        "functions.get_forecast",
        "default_api:get_forecast",
        "get_forecast<|channel|>json",
        " get_forecast()",
    ] {
        let repair = repaired(&tools, &json!({"name": name, "arguments": right}));
        assert_eq!(
            (&repair["status"], &repair["name"]),
            (&json!("repaired"), &json!("get_forecast")),
            "{name}"
        );
        assert_eq!(kinds(&repair), ["tool_name"]);
    }
    for name in ["set_forecast", "get_weather", "forecast", ""] {
        let repair = repaired(&tools, &json!({"name": name, "arguments": right}));
        assert_eq!(repair["status"], "unrepairable", "{name}");
    }
}

#[test]
fn unclear_calls_are_refused_unchanged_with_a_reason() {
    let tools = forecast();
    for (arguments, place) in [
        (json!({"unit": "celsius"}), "city"),
        (json!({"city": null, "unit": "celsius"}), "city"),
        (json!({"city": {}, "unit": "celsius"}), "city"),
        (json!({"city": "Oslo", "unit": "kelvin"}), "unit"),
        (
            json!({"city": "Oslo", "unit": "celsius", "days": 40}),
            "days",
        ),
        (
            json!({"city": "Oslo", "unit": "celsius", "days": "many"}),
            "days",
        ),
        (
            json!({"city": "Oslo", "unit": "celsius", "hourly": "maybe"}),
            "hourly",
        ),
        (
            json!({"city": "Oslo", "unit": "celsius", "kind": "climate"}),
            "kind",
        ),
        (json!("Oslo"), ""),
        (
            json!({"city": "Oslo", "unit": "celsius", "input": {"wind": 1}}),
            "input",
        ),
    ] {
        let given = call(arguments.clone());
        let repair = repaired(&tools, &given);
        assert_eq!(repair["status"], "unrepairable", "{arguments}: {repair}");
        assert_eq!(repair["toolCall"], given);
        assert_eq!(repair["problems"][0]["path"], place, "{arguments}");
        assert_eq!(kinds(&repair), [""; 0]);
        let message = repair["message"].as_str().expect("a message");
        assert!(
            message.contains("was not run") && message.contains(place),
            "{message}"
        );
    }
}

#[test]
fn an_envelope_is_removed_whatever_is_wrong_inside() {
    let tools = compiled(&json!({"list": {"parameters": {"type": "object",
        "properties": {"limit": {"type": "integer"}}}}}));
    let given = json!({"name": "list", "arguments": {"arguments": {"limit": "7"}}});
    let repair = repaired(&tools, &given);
    assert_eq!(repair["arguments"], json!({"limit": 7}));
    let hopeless = json!({"name": "list", "arguments": {"arguments": {"limit": "all"}}});
    assert_eq!(repaired(&tools, &hopeless)["status"], "unrepairable");
    let deep = (0..200).fold(json!({"limit": 5}), |inner, _| json!({"arguments": inner}));
    let repair = repaired(&tools, &json!({"name": "list", "arguments": deep}));
    assert_eq!(
        repair["status"], "unrepairable",
        "what it holds must not be dropped"
    );
}

#[test]
fn a_valid_call_stays_as_it_is() {
    let given = json!({"id": "a", "name": "get_forecast", "arguments": {"city": "Oslo", "unit": "celsius", "days": 3.0}, "x": 1});
    let repair = repaired(&forecast(), &given);
    assert_eq!(
        (&repair["status"], &repair["toolCall"]),
        (&json!("valid"), &given)
    );
    assert!(repair.get("message").is_none() && repair.get("refusal").is_none());
}

/// Returns a call of `find` with `arguments` in the form of each provider, with the form of its refusal.
fn as_written(arguments: &Value) -> Vec<(Value, &'static str)> {
    let text = arguments.to_string();
    vec![
        (
            json!({"id": "c", "type": "function", "function": {"name": "find", "arguments": text}}),
            "/tool_call_id",
        ),
        (
            json!({"type": "function_call", "id": "x", "call_id": "c", "name": "find", "arguments": text}),
            "/call_id",
        ),
        (
            json!({"type": "tool_use", "id": "c", "name": "find", "input": arguments}),
            "/tool_use_id",
        ),
        (
            json!({"type": "tool-call", "toolCallId": "c", "toolName": "find", "input": arguments}),
            "/toolCallId",
        ),
        (
            json!({"type": "tool-call", "toolCallId": "c", "toolName": "find", "input": text}),
            "/toolCallId",
        ),
        (
            json!({"type": "tool-find", "toolCallId": "c", "state": "input-available", "input": arguments}),
            "/toolCallId",
        ),
        (
            json!({"type": "dynamic-tool", "toolName": "find", "toolCallId": "c", "input": arguments}),
            "/toolCallId",
        ),
        (
            json!({"functionCall": {"id": "c", "name": "find", "args": arguments}}),
            "/functionResponse/id",
        ),
        (
            json!({"toolUse": {"toolUseId": "c", "name": "find", "input": arguments}}),
            "/toolResult/toolUseId",
        ),
        (
            json!({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "find", "arguments": arguments}}),
            "/id",
        ),
        (
            json!({"type": "tool_call", "id": "c", "name": "find", "args": arguments}),
            "/tool_call_id",
        ),
        (json!({"name": "find", "arguments": arguments}), ""),
        (json!({"name": "find", "arguments": text}), ""),
        (json!({"tool": "find", "args": arguments}), ""),
    ]
}

#[test]
fn repairs_and_refusals_keep_the_form_of_the_provider() {
    let tools = compiled(&json!({"find": {"parameters": {"type": "object",
        "properties": {"n": {"type": "integer"}}, "required": ["n"]}}}));
    let (wrong, right) = (json!({"n": "5"}), json!({"n": 5}));
    for ((given, _), (expected, _)) in as_written(&wrong).iter().zip(as_written(&right)) {
        let repair = repaired(&tools, given);
        assert_eq!(repair["toolCall"], expected, "{given}");
    }
    for (given, id) in as_written(&json!({})) {
        let repair = repaired(&tools, &given);
        assert_eq!(repair["problems"][0]["path"], "n", "{given}");
        let refusal = &repair["refusal"];
        let message = repair["message"].as_str().expect("a message");
        assert!(
            refusal.to_string().contains(&json!(message).to_string()),
            "{refusal}"
        );
        if !id.is_empty() {
            assert_eq!(refusal.pointer(id), Some(&json!("c")), "{given}: {refusal}");
        }
    }
}

#[test]
fn a_number_that_json_cannot_represent_is_never_replaced() {
    let tools = forecast();
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let days = [
        ("city", toolgauge_model::Json::String("Oslo")),
        ("unit", toolgauge_model::Json::String("celsius")),
        (
            "days",
            toolgauge_model::Json::Number(toolgauge_model::Number::Float(f64::NAN)),
        ),
    ];
    let members = [
        ("name", toolgauge_model::Json::String("get_forecast")),
        ("arguments", toolgauge_model::Json::Object(&days)),
    ];
    let written = WrittenCall::read(toolgauge_model::Json::Object(&members), reader);
    let repair = repair_tool_call(
        &written,
        Specification::Tools(&tools),
        Limits::default(),
        reader,
    );
    assert_eq!(repair.expect("a repair").status, RepairStatus::Unrepairable);
}

#[test]
fn a_correction_of_a_judge_must_be_valid() {
    let tools = forecast();
    let given = call(json!({"city": "Bergen", "unit": "celsius"}));
    let applied = |arguments: Option<Value>, objections: &[&str]| {
        with(&given, |written, reader| {
            let of = |message: &&str| Objection {
                metric: ReflectionIssueType::GeneralHallucinationCheck,
                path: String::new(),
                message: (*message).to_owned(),
            };
            let judgement = Judgement {
                correction: json!({"arguments": arguments}),
                objections: objections.iter().map(of).collect(),
            };
            let specification = Specification::Tools(&tools);
            let limits = Limits::default();
            let repair = apply_judgement(written, &judgement, specification, limits, reader)?;
            Ok(serde_json::to_value(&repair).expect("JSON"))
        })
    };
    let right = json!({"city": "Oslo", "unit": "celsius", "days": "2"});
    let repair = applied(Some(right), &["the user asked for Oslo"]);
    assert_eq!(repair["status"], "repaired");
    let becomes = json!({"city": "Oslo", "unit": "celsius", "days": 2});
    assert_eq!(repair["arguments"], becomes);
    assert_eq!(repair["toolCall"], call(becomes));
    assert_eq!(kinds(&repair), ["judge", "judge"]);
    assert_eq!(repair["changes"][0]["path"], "city");
    let kelvin = json!({"city": "Oslo", "unit": "kelvin"});
    for no_use in [Some(kelvin), Some(given["arguments"].clone()), None] {
        let refused = applied(no_use, &["nobody named a city"]);
        assert_eq!(
            (&refused["status"], &refused["toolCall"]),
            (&json!("unrepairable"), &given)
        );
        assert_eq!(refused["problems"][0]["message"], "nobody named a city");
    }
    assert_eq!(applied(None, &[])["status"], "valid");
}

/// Generates a schema with a few properties, and arguments that may fit it.
fn any_schema_and_arguments() -> impl Strategy<Value = (Value, Value)> {
    let part = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "string", "minLength": 2, "pattern": "^[a-z]+$"})),
        Just(json!({"type": "integer", "minimum": 0})),
        Just(json!({"type": ["number", "null"]})),
        Just(json!({"type": "boolean"})),
        Just(json!({"enum": ["ab", "cd", 3]})),
        Just(json!({"const": "only"})),
        Just(json!({"type": "integer", "default": 4})),
        Just(json!({"type": "array", "items": {"type": "integer"}, "maxItems": 2})),
        Just(
            json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]})
        ),
        Just(
            json!({"type": "object", "properties": {"in": {"type": "number"}}, "required": ["in"], "additionalProperties": false})
        ),
    ];
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!("5")),
        Just(json!("ab")),
        Just(json!("AB")),
        Just(json!("true")),
        Just(json!(1)),
        Just(json!(2.0)),
        Just(json!(-3)),
        Just(json!(true)),
        Just(json!([])),
        Just(json!([1])),
        Just(json!(["7"])),
        Just(json!([1, 2, 3])),
        Just(json!({})),
        Just(json!({"in": "2"})),
        Just(json!({"in": 2, "out": 1})),
        Just(json!("{\"in\": 2}")),
        Just(json!(" ab ")),
    ];
    let names =
        || prop::sample::select(&["alpha", "beta", "Alpha", "gamma", "alhpa", "arguments"][..]);
    let schema = (
        prop::collection::btree_map(names(), part, 1..4),
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_map(|(properties, required, is_closed)| {
            let names: Vec<_> = properties.keys().copied().collect();
            let mut schema = json!({"type": "object", "properties": properties, "required": [required.get(&names)]});
            if is_closed {
                schema["additionalProperties"] = json!(false);
            }
            schema
        });
    let arguments =
        prop::collection::btree_map(names(), value, 0..4).prop_map(|members| json!(members));
    let wrapped = (arguments, 0..4).prop_map(|(arguments, how)| match how {
        0 => json!({"arguments": arguments}),
        1 => json!(arguments.to_string()),
        _ => arguments,
    });
    (schema, wrapped)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]
    #[test]
    fn a_repaired_call_is_valid_and_a_valid_one_unchanged((schema, arguments) in any_schema_and_arguments()) {
        let tools = compiled(&json!({"tool": {"parameters": schema}}));
        let given = json!({"name": "tool", "arguments": arguments});
        let is_valid = checked(&tools, &given).0.is_empty();
        let repair = repaired(&tools, &given);
        match repair["status"].as_str().expect("a status") {
            "valid" => prop_assert!(is_valid && repair["toolCall"] == given),
            "repaired" => {
                prop_assert!(!is_valid && !kinds(&repair).is_empty());
                prop_assert!(checked(&tools, &repair["toolCall"]).0.is_empty(), "{}", repair);
                prop_assert_eq!(&repaired(&tools, &repair["toolCall"])["status"], "valid");
            }
            _ => prop_assert!(!is_valid && repair["toolCall"] == given && repair["problems"][0].is_object()),
        }
    }
}

#[test]
fn arguments_in_an_envelope_are_never_lost() {
    let tools = compiled(
        &json!([{"name": "search", "parameters": {"type": "object", "properties": {
        "query": {"type": "string"}, "limit": {"type": "integer"}}}}]),
    );
    for (arguments, mended) in [
        (
            json!({"arguments": {"query": "hotels", "limit": "5"}}),
            json!({"query": "hotels", "limit": 5}),
        ),
        (
            json!({"arguments": {"query": "hotels", "foo": 1}}),
            json!({"query": "hotels"}),
        ),
        (
            json!({"parameters": "{\"query\":\"hotels\",\"limit\":\"5\"}"}),
            json!({"query": "hotels", "limit": 5}),
        ),
    ] {
        let repair = repaired(&tools, &json!({"name": "search", "arguments": arguments}));
        assert_eq!(repair["arguments"], mended, "{repair}");
    }
}

#[test]
fn a_schema_with_properties_expects_an_object_even_without_a_type() {
    let tools = compiled(&json!([
        {"name": "f", "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]}},
        {"name": "any", "parameters": {}}]));
    for arguments in [json!(5), json!(true), json!([1]), json!("Oslo")] {
        let call = json!({"tool": "f", "args": arguments});
        assert_eq!(checked(&tools, &call).0, ["invalid_tool_call"], "{call}");
    }
    let call = json!({"tool": "f", "args": "{\"city\":\"Oslo\"}"});
    assert_eq!(
        repaired(&tools, &call)["arguments"],
        json!({"city": "Oslo"})
    );
    assert!(
        checked(&tools, &json!({"tool": "any", "args": 5}))
            .0
            .is_empty()
    );
}

#[test]
fn arguments_with_odd_names_are_repaired_in_place() {
    let tools = compiled(&json!([{"name": "f", "parameters": {"type": "object",
        "properties": {"": {"type": "integer"}, "0": {"type": "integer"}, "b": {"type": "object",
            "properties": {"1": {"default": "x"}}, "required": ["1"]}},
        "additionalProperties": false}}]));
    let repair = repaired(
        &tools,
        &json!({"name": "f", "arguments": {"": "5", "0": "6", "7": 1, "b": {}}}),
    );
    assert_eq!(
        repair["arguments"],
        json!({"": 5, "0": 6, "b": {"1": "x"}}),
        "{repair}"
    );
}

#[test]
fn a_refusal_has_the_form_of_the_call() {
    let tools = forecast();
    let refusal = |call: Value| repaired(&tools, &call)["refusal"].take();
    for (call, shown) in [
        (
            json!({"type": "custom_tool_call", "call_id": "c", "name": "no", "input": "x"}),
            json!({"type": "custom_tool_call_output", "call_id": "c"}),
        ),
        (
            json!({"type": "tool-no", "toolCallId": "c", "state": "input-available", "input": {}}),
            json!({"type": "tool-no", "toolCallId": "c", "state": "output-error"}),
        ),
        (
            json!({"function": {"name": "no", "arguments": {}}}),
            json!({"role": "tool", "tool_name": "no"}),
        ),
        (
            json!({"function_call": {"name": "no", "arguments": "{}"}}),
            json!({"role": "function", "name": "no"}),
        ),
    ] {
        let refusal = refusal(call);
        for (key, value) in shown.as_object().expect("members") {
            assert_eq!(refusal[key], *value, "{refusal}");
        }
    }
}

#[test]
fn calls_inside_envelopes_of_frameworks_are_read() {
    let tools = forecast();
    for call in [
        json!({"type": "tool-invocation", "toolInvocation": {"state": "call", "toolCallId": "c", "toolName": "list_cities", "args": {}}}),
        json!({"type": "tool-call", "payload": {"toolCallId": "c", "toolName": "list_cities", "args": {}}}),
        json!({"tool_name": "list_cities", "tool_input": {}}),
    ] {
        assert!(checked(&tools, &call).0.is_empty(), "{call}");
    }
}
