//! Selects the functions of an agent: those that its role enables, and those that depend on its state.

use foldhash::HashSet;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::IntoStaticStr;

use super::route::Route;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};
use toolgauge_schema::nearest;

/// The value that enables everything.
const ALL: &str = "all";

/// For how many unknown names a suggestion is searched, because each is compared with all known names.
const MOST_SUGGESTIONS: usize = 100;

/// The input of a selection. Lists of names are a text with commas, or a JSON list.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SelectionRequest {
    /// The names of all declared functions, in order.
    pub names: Vec<String>,
    /// The functions that the role enables, by name or alias; `None` enables all.
    pub enabled_tools: Option<Value>,
    /// The MCP servers that the role enables, by name or alias; `None` enables all.
    pub enabled_mcp_servers: Option<Value>,
    /// Aliases of lists of functions.
    pub aliases: Map<String, Value>,
    /// Aliases of lists of MCP servers.
    pub mcp_aliases: Map<String, Value>,
    /// The names of the active agent's own functions; `None` if no agent is active.
    pub agent: Option<Vec<String>>,
}

/// The selected functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// The positions of the selected functions among the agent's own, which come first.
    pub agent: Vec<usize>,
    /// The positions of the other selected functions among the declared ones, in order.
    pub functions: Vec<usize>,
    /// Enabled names that do not exist.
    pub unknown: Vec<UnknownName>,
}

/// An enabled name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The list that contains it.
    pub list: EnabledList,
    /// The most similar known name; only for the first hundred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// A list that enables functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EnabledList {
    /// The functions of a role.
    EnabledTools,
    /// The MCP servers of a role.
    EnabledMcpServers,
}

/// Selects the functions that an agent has:
///
/// - the active agent's own functions, whatever the role enables;
/// - the functions that `enabled_tools` enables, unless the agent has its own of that name;
/// - `agent__*` and `todo__*` only while an agent is active;
/// - `user__*` always;
/// - the meta functions `mcp_invoke_*`, `mcp_search_*` and `mcp_describe_*` of the servers that
///   `enabled_mcp_servers` enables.
///
/// # Errors
/// [`Error::InvalidOption`] for a value that is not a list of names.
pub fn select_functions(request: &SelectionRequest) -> Result<Selection> {
    let own: Vec<&str> = request.agent.iter().flatten().map(String::as_str).collect();
    let is_own: HashSet<&str> = own.iter().copied().collect();
    let routes: Vec<Route> = request.names.iter().map(|name| Route::of(name)).collect();
    let declared = || request.names.iter().map(String::as_str).zip(&routes);
    let functions = declared().filter(|(_, route)| **route == Route::Function);
    let functions = functions.map(|(name, _)| name).chain(own.iter().copied());
    let servers = routes.iter().filter_map(server_of);

    let tools = Enabling {
        list: EnabledList::EnabledTools,
        enabled: request.enabled_tools.as_ref(),
        aliases: &request.aliases,
        known: functions.collect(),
    };
    let mcp = Enabling {
        list: EnabledList::EnabledMcpServers,
        enabled: request.enabled_mcp_servers.as_ref(),
        aliases: &request.mcp_aliases,
        known: servers.collect(),
    };
    let (tools, mut unknown) = tools.choose()?;
    let (mcp, unknown_servers) = mcp.choose()?;
    unknown.extend(unknown_servers);
    let is_selected = |(name, route): (&str, &Route)| match route {
        Route::Agent { .. } | Route::Todo { .. } => request.agent.is_some(),
        Route::User { .. } => true,
        Route::Mcp { server, .. } => mcp.includes(server),
        Route::Function => tools.includes(name) && !is_own.contains(name),
    };
    let places = declared().enumerate();
    let places = places.filter_map(|(at, function)| is_selected(function).then_some(at));
    Ok(Selection {
        agent: (0..own.len()).collect(),
        functions: places.collect(),
        unknown,
    })
}

fn server_of(route: &Route) -> Option<&str> {
    match route {
        Route::Mcp { server, .. } => Some(server),
        Route::Agent { .. } | Route::Todo { .. } | Route::User { .. } | Route::Function => None,
    }
}

/// A list that enables functions, with the names that it may contain.
struct Enabling<'r> {
    list: EnabledList,
    enabled: Option<&'r Value>,
    aliases: &'r Map<String, Value>,
    known: Vec<&'r str>,
}

/// The names that a list enables.
enum Choice<'r> {
    Everything,
    These(HashSet<&'r str>),
}

impl<'r> Enabling<'r> {
    /// Returns the enabled names, and those that do not exist.
    fn choose(&self) -> Result<(Choice<'r>, Vec<UnknownName>)> {
        let Some(enabled) = self.enabled else {
            return Ok((Choice::Everything, Vec::new()));
        };
        let (mut names, mut unknown) = (HashSet::default(), Vec::new());
        let known: HashSet<&str> = self.known.iter().copied().collect();
        for name in names_in(enabled, self.list.label())? {
            let meant = match self.aliases.get(name) {
                Some(alias) => names_in(alias, name)?,
                None => vec![name],
            };
            if meant.contains(&ALL) {
                return Ok((Choice::Everything, Vec::new()));
            }
            for stranger in meant.iter().filter(|name| !known.contains(*name)) {
                let is_early = unknown.len() < MOST_SUGGESTIONS;
                let nearest = is_early.then(|| self.nearest(stranger)).flatten();
                unknown.push(UnknownName {
                    name: (*stranger).to_owned(),
                    list: self.list,
                    suggestion: nearest.map(str::to_owned),
                });
            }
            names.extend(meant);
        }
        Ok((Choice::These(names), unknown))
    }

    fn nearest(&self, name: &str) -> Option<&str> {
        let aliases = self.aliases.keys().map(String::as_str);
        nearest(name, self.known.iter().copied().chain(aliases))
    }
}

impl Choice<'_> {
    fn includes(&self, name: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::These(names) => names.contains(name),
        }
    }
}

impl EnabledList {
    fn label(self) -> &'static str {
        self.into()
    }
}

/// Reads the list of names in the option `option`.
fn names_in<'v>(list: &'v Value, option: &str) -> Result<Vec<&'v str>> {
    let names: Option<Vec<&str>> = match list {
        Value::String(text) => Some(text.split(',').collect()),
        Value::Array(names) => names.iter().map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    let names = names.ok_or_else(|| Error::InvalidOption {
        path: Path::root().key("options").key(option),
        reason: "expected a list of names, or a text of names separated by commas".to_owned(),
    })?;
    let names = names.into_iter().map(str::trim);
    Ok(names.filter(|name| !name.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DECLARED: [&str; 9] = [
        "agent__spawn",
        "todo__add",
        "user__ask",
        "mcp_invoke_github",
        "mcp_search_github",
        "mcp_invoke_slack",
        "fs_cat",
        "fs_ls",
        "get_weather",
    ];

    fn select(mut request: Value) -> (Vec<&'static str>, Selection) {
        request["names"] = json!(DECLARED);
        let request: SelectionRequest = serde_json::from_value(request).expect("a request");
        let selection = select_functions(&request).expect("lists of names");
        let names = selection.functions.iter().map(|at| DECLARED[*at]);
        (names.collect(), selection)
    }

    #[test]
    fn a_role_enables_functions_by_name_list_and_alias() {
        let servers = |request: Value| {
            let mut request = request;
            request["enabledMcpServers"] = json!("");
            select(request).0
        };
        let all = ["user__ask", "fs_cat", "fs_ls", "get_weather"];
        assert_eq!(servers(json!({})), all);
        assert_eq!(servers(json!({ "enabledTools": "all" })), all);
        assert_eq!(
            servers(json!({ "enabledTools": " get_weather , fs_ls," })),
            ["user__ask", "fs_ls", "get_weather"]
        );
        assert_eq!(
            servers(json!({ "enabledTools": ["fs_cat"] })),
            ["user__ask", "fs_cat"]
        );
        let aliases = json!({ "fs": "fs_cat,fs_ls" });
        assert_eq!(
            servers(json!({ "enabledTools": "fs", "aliases": aliases })),
            ["user__ask", "fs_cat", "fs_ls"]
        );
        assert_eq!(servers(json!({ "enabledTools": "" })), ["user__ask"]);
    }

    #[test]
    fn meta_functions_come_with_enabled_servers() {
        let request = json!({ "enabledTools": "", "enabledMcpServers": "github" });
        assert_eq!(
            select(request).0,
            ["user__ask", "mcp_invoke_github", "mcp_search_github"]
        );
        let request = json!({ "enabledTools": "", "enabledMcpServers": "all" });
        assert_eq!(select(request).0.len(), 4);
        let request = json!({
            "enabledTools": "", "enabledMcpServers": ["chat"], "mcpAliases": { "chat": "slack" },
        });
        assert_eq!(select(request).0, ["user__ask", "mcp_invoke_slack"]);
    }

    #[test]
    fn agent_functions_need_an_active_agent() {
        let without = select(json!({})).0;
        assert!(!without.iter().any(|name| name.starts_with("agent__")));
        assert!(!without.iter().any(|name| name.starts_with("todo__")));
        let (with, selection) = select(json!({ "agent": ["research", "get_weather"] }));
        assert!(with.contains(&"agent__spawn") && with.contains(&"todo__add"));
        // The agent's own function replaces the declared one.
        assert!(!with.contains(&"get_weather"));
        assert_eq!(selection.agent, [0, 1]);
    }

    #[test]
    fn unknown_names_are_reported() {
        let (_, selection) = select(json!({
            "enabledTools": "get_wether,fs_ls", "enabledMcpServers": "gihub",
        }));
        let found: Vec<_> = selection
            .unknown
            .iter()
            .map(|unknown| (unknown.name.as_str(), unknown.suggestion.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                ("get_wether", Some("get_weather")),
                ("gihub", Some("github"))
            ]
        );
    }

    #[test]
    fn invalid_lists_of_names_are_rejected() {
        for enabled_tools in [json!(7), json!(["fs_ls", 7]), json!({ "fs_ls": true })] {
            let request = SelectionRequest {
                enabled_tools: Some(enabled_tools),
                ..SelectionRequest::default()
            };
            let error = select_functions(&request).expect_err("no list");
            let message = error.to_string();
            assert!(message.contains("options.enabled_tools"), "{message}");
        }
    }
}
