//! Tool definitions by which no call can be judged.

use crate::Path;
use crate::error::{Error, Result};

/// A definition in a list of tools by which no call can be judged. The other definitions of the list can.
#[derive(Debug, Clone, PartialEq)]
pub struct UnreadTool {
    /// The path of the definition in its document.
    pub path: Path,
    /// The name of its tool; absent if the definition shows none. It may then be of any tool.
    pub name: Option<String>,
    /// Why no call can be judged by it.
    pub reason: UnreadReason,
}

/// Why no call can be judged by a definition.
#[derive(Debug, Clone, PartialEq)]
pub enum UnreadReason {
    /// It is in no known format.
    Unknown(Error),
    /// It is in a known format, but a part of it has another shape than the format says.
    Malformed(Error),
    /// Its schema is not valid JSON Schema.
    InvalidSchema(Error),
    /// It is nothing but a name.
    NameOnly(Error),
    /// It has no schema of the arguments.
    NoSchema,
    /// It names a server whose tools are listed elsewhere.
    ListedElsewhere,
}

impl UnreadReason {
    /// Returns the error for callers that must be able to read all definitions. `None` if such a definition is
    /// allowed.
    pub fn error(&self) -> Option<&Error> {
        match self {
            Self::Unknown(error)
            | Self::Malformed(error)
            | Self::InvalidSchema(error)
            | Self::NameOnly(error) => Some(error),
            Self::NoSchema | Self::ListedElsewhere => None,
        }
    }

    /// Returns a sentence about the definition, without its path.
    pub fn describe(&self) -> String {
        let what = match self {
            Self::Unknown(_) => "this tool definition is of no known kind".to_owned(),
            Self::Malformed(error) | Self::InvalidSchema(error) => {
                format!("this tool definition can't be used ({error})")
            }
            Self::NameOnly(_) => "this tool definition is only a name".to_owned(),
            Self::NoSchema => "this tool definition has no schema".to_owned(),
            Self::ListedElsewhere => {
                return "this names a server and not its tools: their calls are not judged by a schema"
                    .to_owned();
            }
        };
        format!("{what}: its calls are not judged by a schema")
    }
}

impl UnreadTool {
    /// Returns the first error among `unread`.
    ///
    /// # Errors
    /// See [`UnreadReason::error`].
    pub fn refuse(unread: &[Self]) -> Result<()> {
        let mut errors = unread.iter().filter_map(|it| it.reason.error());
        errors.next().map_or(Ok(()), |error| Err(error.clone()))
    }
}
