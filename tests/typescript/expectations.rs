//! What an expectation file may hold, described once: the TypeScript types and the JSON Schema are both written from
//! this. Each `match` lists all arms, so that a new matcher does not compile until it is described.

use serde_json::{Map, Value, json};
use strum::VariantArray;
use toolgauge::matching::{
    Attempts, CallMember, CallOrder, Cost, ExpectationsMember, GroupMember, MOST_TIMES,
    MatcherName, OPTIONAL, OccurrenceMember, READ_ONLY, RuleMember,
};
use toolgauge::model::SCHEMA_TYPES;

/// The widest line of a comment in TypeScript.
const WIDTH: usize = 120;

/// A member of an object: its type in TypeScript, and its JSON Schema without the description.
struct Member {
    name: &'static str,
    docs: &'static str,
    type_name: String,
    schema: Value,
    is_required: bool,
}

impl Member {
    fn new(docs: &'static str, type_name: &str, schema: Value) -> Self {
        Self {
            name: "",
            docs,
            type_name: type_name.to_owned(),
            schema,
            is_required: false,
        }
    }

    fn required(self) -> Self {
        Self {
            is_required: true,
            ..self
        }
    }

    /// `readonly name?: Type;` below its docs, indented by so many spaces.
    fn declaration(&self, indent: usize) -> String {
        let optional = if self.is_required { "" } else { "?" };
        format!(
            "{}{:indent$}readonly {}{optional}: {};\n",
            comment(self.docs, indent),
            "",
            self.name,
            self.type_name
        )
    }

    /// The JSON Schema, which says first what the member is.
    fn schema(&self) -> Value {
        described(self.docs, self.schema.clone())
    }
}

/// The type of an object inside a declaration that is indented by so many spaces: its members below their docs.
fn inner_object(indent: usize, members: &[(&str, &str)]) -> String {
    let inner = indent + 2;
    let lines: String = members
        .iter()
        .map(|(docs, member)| format!("{}{:inner$}readonly {member};\n", comment(docs, inner), ""))
        .collect();
    format!("{{\n{lines}{:indent$}}}", "")
}

/// The members of an object, each with the name that the parser knows it by.
fn members<T>(describe: impl Fn(T) -> Member) -> Vec<Member>
where
    T: VariantArray + Copy + Into<&'static str>,
{
    let named = |member: &T| Member {
        name: (*member).into(),
        ..describe(*member)
    };
    T::VARIANTS.iter().map(named).collect()
}

fn matcher_meaning(name: MatcherName) -> &'static str {
    match name {
        MatcherName::Exact => {
            "equal, as JSON Schema has it: 1 and 1.0 are, 5 and \"5\" are not. The default."
        }
        MatcherName::Ignore => "anything, and nothing at all.",
        MatcherName::Subset => "objects may lack expected members, and so may the objects in them.",
        MatcherName::Superset => "objects may have more members, and so may the objects in them.",
        MatcherName::Contains => "a text or array that contains the expected text, item or items.",
        MatcherName::CaseInsensitive => "texts are equal but for case.",
        MatcherName::Date => "texts name the same date, time or both, however written.",
        MatcherName::Unordered => "arrays hold the same items in any order.",
        MatcherName::Type => "a value of the expected value's JSON type.",
        MatcherName::Normalized => {
            "texts are equal but for case, spaces, the characters `,./-_*^` and single or double quotes, as the \
             Berkeley Function Calling Leaderboard compares them."
        }
        MatcherName::Coerce => {
            "values are equal but for their types: 5 and \"5\", true and \"true\", \"x\" and [\"x\"], an object and its \
             JSON text."
        }
    }
}

fn rule_member(member: RuleMember) -> Member {
    match member {
        RuleMember::OneOf => Member::new(
            "One of these values, or the expected value if there is one.",
            "readonly unknown[]",
            json!({ "type": "array" }),
        ),
        RuleMember::Regex => Member::new(
            "A text in which this pattern is found: ECMAScript syntax, as in JSON Schema's `pattern`.",
            "string",
            json!({ "type": "string", "format": "regex" }),
        ),
        RuleMember::Contains => Member::new(
            "A text that contains this text, or an array that contains this item, or all items of this array.",
            "unknown",
            json!({}),
        ),
        RuleMember::Tolerance => Member::new(
            "A number that differs from the expected number by at most this, or by this share of it.",
            &format!(
                "number | {}",
                inner_object(
                    2,
                    &[
                        ("The difference itself. Default 0.", "absolute?: number"),
                        (
                            "The difference as a share of the expected number: 0.1 is a tenth. Default 0. The greater of \
                             the two counts.",
                            "relative?: number",
                        ),
                    ],
                )
            ),
            tolerance(),
        ),
        RuleMember::Type => Member::new(
            "A value of this JSON type, or of one of these.",
            "JsonTypeName | readonly JsonTypeName[]",
            json!({ "anyOf": [
                reference("jsonType"),
                { "type": "array", "description": "The types.", "items": reference("jsonType") }
            ] }),
        ),
        RuleMember::Similar => Member::new(
            "A text whose similarity to the expected text is at least this, from 0 to 1. The similarity is 1 − edit \
             distance (Levenshtein, in characters) / length of the longer text.",
            "number",
            json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        ),
        RuleMember::Range => Member::new(
            "A number between these bounds, both included. One of them is enough.",
            &format!(
                "{} | {}",
                bounds("min: number", "max?: number"),
                bounds("min?: number", "max: number")
            ),
            range(),
        ),
        RuleMember::Schema => Member::new(
            "A value that this JSON Schema accepts.",
            "object | boolean",
            json!({ "type": ["object", "boolean"] }),
        ),
        RuleMember::Compare => Member::new(
            "A value that the comparator of this name accepts: a function that is passed to scoreToolCalls.",
            "string",
            json!({ "type": "string" }),
        ),
        RuleMember::Judge => Member::new(
            "A value that equals the expected value, or for which a judge answers this question with yes. Judges are passed \
             to scoreToolCallsAsync.",
            "string",
            json!({ "type": "string", "pattern": "\\S" }),
        ),
        RuleMember::Match => Member::new(
            "A matcher that takes no value, by its name. Beside `oneOf`: how the value is compared with each of them.",
            "MatcherName",
            json!({ "enum": names::<MatcherName>() }),
        ),
        RuleMember::Optional => Member::new(
            "Whether the argument may be left out, or be null. Default false.",
            "boolean",
            json!({ "type": "boolean", "default": false }),
        ),
        RuleMember::Default => Member::new(
            "The value that the argument has when it is left out, in the expected call or in the actual call.",
            "unknown",
            json!({}),
        ),
        RuleMember::Label => Member::new(
            "What is asked for, in your own words, for messages: `expected a record locator, got \"x\"`.",
            "string",
            json!({ "type": "string" }),
        ),
    }
}

fn bounds(min: &str, max: &str) -> String {
    inner_object(2, &[(LEAST, min), (GREATEST, max)])
}

fn range() -> Value {
    json!({
        "type": "object",
        "properties": {
            "min": { "description": LEAST, "type": "number" },
            "max": { "description": GREATEST, "type": "number" }
        },
        "minProperties": 1,
        "additionalProperties": false
    })
}

fn tolerance() -> Value {
    let difference = "The difference itself.";
    json!({ "anyOf": [
        { "type": "number", "description": difference, "minimum": 0 },
        {
            "type": "object",
            "description": "The difference itself, or as a share of the expected number: the greater of the two.",
            "properties": {
                "absolute": { "type": "number", "description": difference, "minimum": 0, "default": 0 },
                "relative": {
                    "type": "number",
                    "description": "The difference as a share of the expected number: 0.1 is a tenth.",
                    "minimum": 0,
                    "default": 0
                }
            },
            "additionalProperties": false
        }
    ] })
}

const TOOL_NAME: &str = "The tool's name, or a pattern: `*` matches any characters. A name matches across MCP prefixes (`mcp__server__tool`, `server__tool`, `tool`) \
    where that is unambiguous.";

fn call_member(member: CallMember) -> Member {
    match member {
        CallMember::Tool => Member::new(TOOL_NAME, "string", reference("toolName")).required(),
        CallMember::Args => Member::new(
            "The expected arguments. Default: none. null means none, too.",
            "unknown",
            json!({}),
        ),
        CallMember::Matchers => Member::new(
            "How the arguments are compared. These matchers override those of the tool.",
            "PathMatchers",
            reference("pathMatchers"),
        ),
        CallMember::Result => Member::new(
            "The result that the call should have. Default: any.",
            "unknown",
            json!({}),
        ),
        CallMember::ResultMatchers => Member::new(
            "How the result is compared, by path. Without `result`, what no path names may be anything.",
            "PathMatchers",
            reference("pathMatchers"),
        ),
        CallMember::Error => Member::new(
            "Whether the call should fail: with any error, with none, with this error, or with one that a matcher accepts. \
             Default: either.",
            "boolean | string | Matcher",
            json!({ "anyOf": [{ "type": ["boolean", "string"] }, reference("matcherObject")] }),
        ),
    }
}

fn group_member(member: GroupMember) -> Member {
    match member {
        GroupMember::Sequence => Member::new(
            "Calls that must be made one after the other, with any other calls in between.",
            "readonly ExpectedCallInput[]",
            reference("calls"),
        ),
        GroupMember::Unordered => Member::new(
            "Calls that may be made in any order.",
            "readonly ExpectedCallInput[]",
            reference("calls"),
        ),
    }
    .required()
}

fn occurrence_member(member: OccurrenceMember) -> Member {
    match member {
        OccurrenceMember::Optional => Member::new(
            "Whether the call may be left out. Default false.",
            "boolean",
            json!({ "type": "boolean", "default": false }),
        ),
        OccurrenceMember::Times => Member::new(
            "How often the call is made: exactly so often, or from `min` (default 1) to `max` (default: any number of \
             times). Default once.",
            &format!(
                "number | {}",
                inner_object(
                    2,
                    &[
                        ("The fewest times. Default 1.", "min?: number"),
                        ("The most times. Default: any number.", "max?: number"),
                    ],
                )
            ),
            times(),
        ),
    }
}

fn times() -> Value {
    json!({
        "anyOf": [
            reference("count"),
            {
                "type": "object",
                "description": "From min to max times; max must not be less than min.",
                "properties": {
                    "min": { "description": "The least number of times.", "$ref": "#/$defs/count", "default": 1 },
                    "max": { "description": "The most times. Default: any number.", "$ref": "#/$defs/count" }
                },
                "additionalProperties": false
            }
        ],
        "default": 1
    })
}

fn expectations_member(member: ExpectationsMember) -> Member {
    match member {
        ExpectationsMember::Schema => Member::new(
            "Where the JSON Schema of expectation files is, for editors.",
            "string",
            json!({ "type": "string" }),
        ),
        ExpectationsMember::Calls => Member::new(
            "The calls that should be made.",
            "readonly ExpectedCallInput[]",
            reference("calls"),
        ),
        ExpectationsMember::Forbidden => Member::new(
            "The calls that must not be made. One such call makes the score 0.",
            "readonly ForbiddenCallInput[]",
            json!({ "type": "array", "items": reference("forbiddenCall"), "default": [] }),
        ),
        ExpectationsMember::Order => Member::new(
            "Whether the order counts. Default `any`.",
            "CallOrder",
            reference("order"),
        ),
        ExpectationsMember::Matchers => Member::new(
            "How arguments are compared, by tool and path.",
            "ToolMatchers",
            reference("toolMatchers"),
        ),
        ExpectationsMember::Turns => Member::new(
            "The calls that should be made after each message of the user, instead of `calls`. A call in another turn is wrong.",
            "readonly ExpectedTurn[]",
            json!({ "type": "array", "items": reference("turn") }),
        ),
        ExpectationsMember::Extra => Member::new(
            "Whether calls that are not expected lower the score: all of them do (`forbid`, the default), none, or those \
             beyond a number.",
            "ExtraCalls",
            json!({
                "anyOf": [
                    { "enum": ["forbid", "allow"] },
                    {
                        "type": "object",
                        "description": EXTRA_MAX,
                        "properties": { "max": reference("count") },
                        "required": ["max"],
                        "additionalProperties": false
                    }
                ],
                "default": "forbid"
            }),
        ),
        ExpectationsMember::Only => Member::new(
            "The only tools that may be called, by names or patterns. A call of another tool is forbidden. Default: all.",
            "readonly string[]",
            texts(),
        ),
        ExpectationsMember::IgnoreTools => Member::new(
            "The tools whose calls do not count: names, patterns, and `{readOnly: true}` for those that only read by \
             their definitions.",
            "readonly IgnoredTools[]",
            json!({ "type": "array", "items": { "anyOf": [
                { "description": "A name or a pattern.", "type": "string", "minLength": 1 },
                {
                    "description": "The tools whose annotations.readOnlyHint is true.",
                    "type": "object",
                    "properties": { READ_ONLY: { "description": ALWAYS_TRUE, "const": true } },
                    "required": [READ_ONLY],
                    "additionalProperties": false
                }
            ] } }),
        ),
        ExpectationsMember::Attempts => Member::new(
            "Which attempts count: all, or those that did not fail. Default `all`.",
            &union(Attempts::NAMES),
            json!({ "enum": Attempts::NAMES, "default": "all" }),
        ),
        ExpectationsMember::States => Member::new(
            "What the replies must state: facts, which are compared by value, or texts.",
            "readonly string[]",
            texts(),
        ),
        ExpectationsMember::Budget => Member::new(
            "The most that the run may cost, as far as its log records it.",
            "RunBudget",
            budget(),
        ),
        ExpectationsMember::Thresholds => Member::new(
            "The lowest scores of tools, by names or patterns, from 0 to 1.",
            "ToolThresholds",
            json!({
                "type": "object",
                "additionalProperties": {
                    "description": "The lowest score.", "type": "number", "minimum": 0, "maximum": 1
                }
            }),
        ),
        ExpectationsMember::NullIsAbsent => Member::new(
            "Whether an argument that is null and one that is left out are the same, at every depth of objects. Default \
             false.",
            "boolean",
            json!({ "type": "boolean", "default": false }),
        ),
        ExpectationsMember::SchemaDefaults => Member::new(
            "Whether an argument that is left out has the default of the tool's JSON Schema, in the expected call and in \
             the actual call, in nested objects, too. The tools are given as an option, or the trajectory contains them. \
             Default false.",
            "boolean",
            json!({ "type": "boolean", "default": false }),
        ),
    }
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "description": "A text.", "type": "string", "minLength": 1 } })
}

fn cost_meaning(cost: Cost) -> &'static str {
    match cost {
        Cost::Calls => "Calls of tools.",
        Cost::Turns => "Turns of the agent.",
        Cost::Tokens => "Tokens that the model read and wrote.",
        Cost::Seconds => "Seconds from the first to the last timestamp.",
        Cost::Cost => "Money, in the unit of the log.",
    }
}

fn costs() -> Vec<Member> {
    let number = json!({ "type": "number", "minimum": 0 });
    members(|cost| Member::new(cost_meaning(cost), "number", number.clone()))
}

fn budget() -> Value {
    object(&costs(), true)
}

/// The members of the expectations of one turn.
fn turn_members() -> Vec<Member> {
    let members = members(expectations_member).into_iter();
    let of_turn = members.filter(|member| ["calls", "order"].contains(&member.name));
    let require = |member: Member| match member.name {
        "calls" => member.required(),
        _ => member,
    };
    of_turn.map(require).collect()
}

fn order_meaning(order: CallOrder) -> &'static str {
    match order {
        CallOrder::Any => "it does not.",
        CallOrder::Sequence => {
            "the expected calls in their order, with any other calls in between."
        }
        CallOrder::Strict => "the expected calls in their order, and no others.",
    }
}

const JSON_TYPES: &str = "The types of JSON values, as JSON Schema names them: `integer` is a number without a fraction.";
const CALL: &str =
    "A call, and how its arguments are compared. Members that toolgauge does not know are ignored.";
const CALL_ALONE: &str = "A call that does not say how often it is made.";
const ALTERNATIVES: &str = "Alternatives: any one of these calls will do.";
const LEAST: &str = "The least number.";
const GREATEST: &str = "The greatest number, not less than min.";
const EXTRA_MAX: &str = "The number of unexpected calls that do not count.";
const ALWAYS_TRUE: &str = "Always true.";
const ANY_OF: &str = "The alternatives, at least one.";
const OCCURRENCE: &str = "How often an expected call is made.";
const EXPECTED_CALL: &str = "A call that should be made: the name of a tool for a call with any arguments, a call with \
    its arguments, or alternatives; or a group of calls.";
const CALL_GROUP: &str =
    "A group of calls, which may contain groups: calls one after the other, or calls in any order.";
const ALTERNATIVE_GROUPS: &str =
    "Alternatives, at least one of them a group. All calls of one alternative should be made.";
const TURN: &str = "The calls that should be made after one message of the user.";
const EXTRA: &str = "Whether calls that are not expected lower the score: all of them, none, or those beyond a number.";
const BUDGET: &str = "The most that a run may cost. What the log does not record is not checked.";
const IGNORED: &str = "Tools whose calls do not count: a name, a pattern, or those whose definitions say that they only read \
    (`annotations.readOnlyHint`, as MCP has it).";
const THRESHOLDS: &str = "The lowest scores of tools, by names or patterns.";
const FORBIDDEN_CALL: &str = "A call that must not be made. The name of a tool, or a call without `args`, forbids every \
    call of that tool.";
const TOOL_MATCHERS: &str = "Matchers by the name of the tool; `*` is for all tools.";
const PATH_MATCHERS: &str =
    "Matchers by path inside the arguments. The name of a matcher alone is for all arguments.";
const PATHS: &str = "Paths: `limit`, `filters.tags[*]`, `items[0].id`, `*.note`, `*_id`, `headers[\"x.y\"]`; the empty path \
    is all arguments. `*` matches any characters of a key, except in brackets. If several fit one place, the last wins.";
const RULE: &str = "How one argument is compared: at most one matcher (or `oneOf` with `match`), and what else is said of the argument.";

/// The file of the TypeScript types.
pub fn types() -> String {
    let rules = members(rule_member);
    let (matchers, others): (Vec<_>, Vec<_>) =
        (RuleMember::VARIANTS.iter().zip(rules)).partition(|(member, _)| member.is_matcher());
    let body = |members: Vec<(&RuleMember, Member)>, is_required| {
        let members = members.into_iter().map(|(_, member)| {
            Member {
                is_required,
                ..member
            }
            .declaration(2)
        });
        members.collect::<String>()
    };
    let call: String = members(call_member)
        .iter()
        .map(|it| it.declaration(2))
        .collect();
    let absent = |names: &[&str]| -> String {
        names
            .iter()
            .map(|name| format!("  readonly {name}?: never;\n"))
            .collect()
    };
    let occurrence = members(occurrence_member);
    let unsaid = occurrence
        .iter()
        .map(|member| format!("readonly {}?: never", member.name));
    let unsaid = unsaid.collect::<Vec<_>>().join("; ");
    let interface = |docs: &str, name: &str, body: &str| {
        format!(
            "\n{}export interface {name} {{\n{body}}}\n",
            comment(docs, 0)
        )
    };
    let alias = |docs: &str, name: &str, is: &str| {
        format!("\n{}export type {name} = {is};\n", comment(docs, 0))
    };
    let declared = |members: &[Member]| -> String {
        members.iter().map(|member| member.declaration(2)).collect()
    };
    [
        "// Written by `cargo xtask types` from tests/typescript/expectations.rs: change that.\n".to_owned(),
        "import type { Extensible } from './input.js';\nimport type { CallOrder } from './types.js';\n".to_owned(),
        alias(JSON_TYPES, "JsonTypeName", &union(&SCHEMA_TYPES)),
        format!("\n{}", matcher_names()),
        interface(
            "What may be said of an argument besides how it is compared.",
            "MatcherPresence",
            &body(others, false),
        ),
        interface("The matchers. An argument has at most one, but `match` can be combined with `oneOf`.", "Matchers", &body(matchers, true)),
        "\ntype NoMatcherBut<Kind extends keyof Matchers> = { readonly [Other in Exclude<keyof Matchers, Kind>]?: undefined };\n\
         \ntype OneMatcher = { [Kind in keyof Matchers]: Pick<Matchers, Kind> & NoMatcherBut<Kind> }[keyof Matchers];\n\
         \ntype OneOfBy = Pick<Matchers, 'oneOf' | 'match'> & NoMatcherBut<'oneOf' | 'match'>;\n"
            .to_owned(),
        alias(
            RULE,
            "Matcher",
            &format!("MatcherName | '{OPTIONAL}' | (MatcherPresence & (OneMatcher | OneOfBy | NoMatcherBut<never>))"),
        ),
        alias(
            &format!("{PATH_MATCHERS} {PATHS}"),
            "PathMatchers",
            &format!("MatcherName | '{OPTIONAL}' | {{ readonly [path: string]: Matcher }}"),
        ),
        alias(TOOL_MATCHERS, "ToolMatchers", "{ readonly [tool: string]: PathMatchers }"),
        alias(
            CALL,
            "CallPatternInput",
            &format!("Extensible<{{\n{call}{}}}>", absent(&NO_CALL)),
        ),
        alias(
            &format!("The name of a tool, for a call with any arguments; or a call. {CALL_ALONE}"),
            "CallAloneInput",
            &format!("string | (CallPatternInput & {{ {unsaid} }})"),
        ),
        interface(
            ALTERNATIVES,
            "CallAlternatives",
            &format!(
                "{}  readonly anyOf: readonly CallAloneInput[];\n{}",
                comment(ANY_OF, 2),
                absent(CallMember::NAMES)
            ),
        ),
        alias(CALL_GROUP, "CallGroupInput", &call_group()),
        alias(ALTERNATIVE_GROUPS, "AlternativeGroups", &alternative_groups()),
        interface(OCCURRENCE, "Occurrence", &declared(&occurrence)),
        alias(
            EXPECTED_CALL,
            "ExpectedCallInput",
            "string | ((CallPatternInput | CallAlternatives) & Occurrence) | CallGroupInput | AlternativeGroups",
        ),
        alias(FORBIDDEN_CALL, "ForbiddenCallInput", "CallAloneInput"),
        alias(
            EXTRA,
            "ExtraCalls",
            &format!("'forbid' | 'allow' | {}", inner_object(0, &[(EXTRA_MAX, "max: number")])),
        ),
        interface(BUDGET, "RunBudget", &declared(&costs())),
        alias(
            IGNORED,
            "IgnoredTools",
            &format!("string | {}", inner_object(0, &[(ALWAYS_TRUE, &format!("{READ_ONLY}: true"))])),
        ),
        alias(THRESHOLDS, "ToolThresholds", "{ readonly [tool: string]: number }"),
        interface(TURN, "ExpectedTurn", &declared(&turn_members())),
        interface(
            "What expectations say besides the calls that should be made.",
            "ExpectationTerms",
            &declared(&terms()),
        ),
        alias(
            "What should be called and what must not be, all JSON: the content of an expectation file. Its JSON Schema \
             is `toolgauge/expectations.schema.json`.",
            "Expectations",
            &format!("ExpectationTerms & ({})", calls_or_turns()),
        ),
    ]
    .concat()
}

/// The members that a call does not have.
const NO_CALL: [&str; 3] = ["anyOf", "sequence", "unordered"];

fn call_group() -> String {
    let kinds = members(group_member).into_iter().map(|member| {
        let (name, parts) = (member.name, &member.type_name);
        let group = format!("{name}: {parts}{}", no_other(name));
        format!("\n  | {}", inner_object(2, &[(member.docs, &group)]))
    });
    kinds.collect()
}

fn alternative_groups() -> String {
    let parts = "readonly (CallAloneInput | CallGroupInput)[]";
    let alternatives = format!("anyOf: {parts}{}", no_other("anyOf"));
    inner_object(0, &[(ANY_OF, &alternatives)])
}

/// Says that a group has no other member than this one.
fn no_other(member: &str) -> String {
    let names = [
        "tool",
        "sequence",
        "unordered",
        "anyOf",
        "optional",
        "times",
    ];
    let others = names.iter().filter(|name| **name != member);
    others
        .map(|name| format!("; readonly {name}?: never"))
        .collect()
}

/// The members of expectations except those of which one is needed.
fn terms() -> Vec<Member> {
    let members = members(expectations_member).into_iter();
    members
        .filter(|member| !["calls", "turns"].contains(&member.name))
        .collect()
}

fn calls_or_turns() -> String {
    let members = members(expectations_member);
    let needed = |name: &str, other: &str| {
        let member = members.iter().find(|member| member.name == name);
        let member = member.unwrap_or_else(|| panic!("{name} is a member of expectations"));
        format!(
            "\n  | {{\n{}      readonly {name}: {};\n      readonly {other}?: never;\n    }}",
            comment(member.docs, 6),
            member.type_name
        )
    };
    format!("{}{}\n", needed("calls", "turns"), needed("turns", "calls"))
}

/// The type of the names, whose docs list what each means.
fn matcher_names() -> String {
    let list = MatcherName::VARIANTS.iter().map(|name| {
        let text: &str = (*name).into();
        format!(" * - `{text}`: {}\n", matcher_meaning(*name))
    });
    format!(
        "/**\n * A matcher that takes no value.\n *\n{} */\nexport type MatcherName = {};\n",
        list.collect::<String>(),
        union(&names::<MatcherName>())
    )
}

fn names<T: VariantArray + Copy + Into<&'static str>>() -> Vec<&'static str> {
    T::VARIANTS.iter().map(|name| (*name).into()).collect()
}

/// `'a' | 'b'`
fn union(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
    quoted.join(" | ")
}

/// A doc comment, on one line if it fits.
fn comment(docs: &str, indent: usize) -> String {
    let line = format!("{:indent$}/** {docs} */\n", "");
    if line.len() <= WIDTH + 1 {
        return line;
    }
    let lines = textwrap::wrap(docs, WIDTH - indent - " * ".len());
    let lines: String = lines
        .iter()
        .map(|line| format!("{:indent$} * {line}\n", ""))
        .collect();
    format!("{:indent$}/**\n{lines}{:indent$} */\n", "", "")
}

/// The file of the JSON Schema.
pub fn schema() -> String {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:toolgauge:schema:expectations",
        "title": "Expected tool calls",
        "description": "What an agent should call and what it must not: an expectation file of toolgauge, or a list of expected calls.",
        "anyOf": [reference("expectations"), reference("calls")],
        "$defs": definitions()
    });
    let text = serde_json::to_string_pretty(&schema).expect("JSON");
    format!("{text}\n")
}

fn definitions() -> Value {
    json!({
        "expectations": described(
            "What should be called and what must not be.",
            expectations()
        ),
        "turn": described(TURN, object(&turn_members(), true)),
        "calls": described(
            "The calls that should be made.",
            json!({ "type": "array", "items": reference("expectedCall") })
        ),
        "order": described(&order_docs(), json!({ "enum": names::<CallOrder>(), "default": "any" })),
        "expectedCall": described(EXPECTED_CALL, json!({ "anyOf": [
            reference("toolName"),
            { "allOf": [reference("call"), reference("occurrence")] },
            { "allOf": [reference("alternatives"), reference("occurrence")] },
            reference("group"),
            reference("alternativeGroups")
        ] })),
        "group": described(CALL_GROUP, json!({ "anyOf": groups() })),
        "alternativeGroups": described(ALTERNATIVE_GROUPS, alternative_group_schema()),
        "forbiddenCall": described(
            FORBIDDEN_CALL,
            json!({ "anyOf": [reference("toolName"), reference("callAlone")] })
        ),
        "toolName": described(TOOL_NAME, json!({ "type": "string" })),
        "call": described(CALL, without(object(&members(call_member), false), &NO_CALL)),
        "callAlone": described(CALL_ALONE, json!({ "allOf": [
            reference("call"),
            without(json!({ "properties": {} }), &names::<OccurrenceMember>())
        ] })),
        "alternatives": described(ALTERNATIVES, without(alternatives(), CallMember::NAMES)),
        "occurrence": described(OCCURRENCE, object(&members(occurrence_member), false)),
        "count": { "description": "A number of times.", "type": "integer", "minimum": 0, "maximum": MOST_TIMES },
        "toolMatchers": described(TOOL_MATCHERS, json!({
            "type": "object",
            "additionalProperties": reference("pathMatchers"),
            "default": {}
        })),
        "pathMatchers": described(PATH_MATCHERS, json!({ "anyOf": [
            reference("matcherName"),
            described(PATHS, json!({
                "type": "object",
                "propertyNames": {
                    "description": "A path inside the arguments. * stands for any characters of a key, [*] for any item.",
                    "pattern": PATH_PATTERN
                },
                "additionalProperties": reference("matcher")
            }))
        ] })),
        "matcherName": described(&matcher_docs(), json!({
            "enum": names::<MatcherName>().into_iter().chain([OPTIONAL]).collect::<Vec<_>>()
        })),
        "matcher": {
            "description": "How one argument is compared.",
            "anyOf": [reference("matcherName"), reference("matcherObject")]
        },
        "matcherObject": matcher_object(),
        "jsonType": described(JSON_TYPES, json!({ "enum": SCHEMA_TYPES }))
    })
}

/// An object of expectations, with calls or turns.
fn expectations() -> Value {
    let mut schema = object(&members(expectations_member), true);
    schema["oneOf"] = json!([{ "required": ["calls"] }, { "required": ["turns"] }]);
    schema
}

/// The groups, each an object with one member.
fn groups() -> Vec<Value> {
    let members = members(group_member).into_iter();
    members.map(|member| object(&[member], true)).collect()
}

fn alternative_group_schema() -> Value {
    let part =
        json!({ "anyOf": [reference("toolName"), reference("callAlone"), reference("group")] });
    let parts = json!({ "type": "array", "items": part, "contains": reference("group") });
    json!({
        "type": "object",
        "properties": { "anyOf": described("The alternatives.", parts) },
        "required": ["anyOf"],
        "additionalProperties": false
    })
}

/// What the parser of paths takes, see `read_pattern` in src/matching/path_pattern.rs.
const PATH_PATTERN: &str = r#"^(?:(?:[^.\[]+|\[(?:\*|[0-9]+|"(?:[^"\\]|\\.)*")\])(?:\.[^.\[]+|\[(?:\*|[0-9]+|"(?:[^"\\]|\\.)*")\])*)?$"#;

fn order_docs() -> String {
    let orders = CallOrder::VARIANTS.iter().map(|order| {
        let name: &str = (*order).into();
        format!(" {name}: {}", order_meaning(*order))
    });
    format!("Whether the order counts.{}", orders.collect::<String>())
}

fn matcher_docs() -> String {
    let list = MatcherName::VARIANTS.iter().map(|name| {
        let text: &str = (*name).into();
        format!(" {text}: {}", matcher_meaning(*name))
    });
    let list: String = list.collect();
    format!("A matcher that takes no value.{list} {OPTIONAL}: may be left out, or null.")
}

fn alternatives() -> Value {
    let call = json!({ "anyOf": [reference("toolName"), reference("callAlone")] });
    let any_of = json!({ "type": "array", "items": call, "minItems": 1 });
    json!({
        "type": "object",
        "properties": { "anyOf": described(ANY_OF, any_of) },
        "required": ["anyOf"]
    })
}

/// An object with at most one of the matchers, or `match` beside `oneOf`.
fn matcher_object() -> Value {
    let is_alone = |member: &&RuleMember| member.is_matcher() && **member != RuleMember::Match;
    let alone = RuleMember::VARIANTS.iter().filter(is_alone);
    let named = |member: &RuleMember| json!({ "required": [<&str>::from(*member)] });
    let each: Vec<_> = alone.clone().map(named).collect();
    let not_by = alone.filter(|member| **member != RuleMember::OneOf);
    let none = json!({ "description": "No matcher, or match alone.", "not": { "anyOf": each } });
    let mut object = object(&members(rule_member), true);
    object["oneOf"] = [none].into_iter().chain(each).collect();
    object["not"] = named(&RuleMember::Match);
    object["not"]["anyOf"] = not_by.map(named).collect();
    described(RULE, object)
}

/// The JSON Schema of an object; `is_closed` when other members are an error.
fn object(members: &[Member], is_closed: bool) -> Value {
    let properties = members
        .iter()
        .map(|member| (member.name.to_owned(), member.schema()));
    let required = members.iter().filter(|member| member.is_required);
    let required: Vec<_> = required.map(|member| member.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties.collect::<Map<_, _>>() });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if is_closed {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

/// The JSON Schema of an object that has none of these members.
fn without(mut schema: Value, names: &[&str]) -> Value {
    for name in names {
        schema["properties"][*name] = json!(false);
    }
    schema
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The schema, which says first what the value is.
fn described(docs: &str, schema: Value) -> Value {
    let mut whole = Map::new();
    whole.insert("description".to_owned(), json!(docs.replace('`', "")));
    if let Value::Object(members) = schema {
        whole.extend(members);
    }
    Value::Object(whole)
}
