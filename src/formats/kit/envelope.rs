//! Reads what surrounds the messages in many formats. A document is a list of messages, one message, or
//! an object that holds the messages beside the tools, an id and more.

use super::calls::read_list;
use super::conversation::Conversation;
use super::fields::Fields;
use super::import::Import;
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Path, Trajectory};

/// How the documents of one format hold a conversation.
pub struct Envelope {
    /// What a document should be, for the error when it is something else.
    pub what: &'static str,
    /// Whether an object is one message, rather than the object around all messages.
    pub is_message: fn(Json<'_>) -> bool,
    /// The members of the object that may hold the id of the conversation. The first text counts.
    pub ids: &'static [&'static str],
    /// Where the object may hold the tool definitions: the keys to follow. The first that exist count.
    pub tools: &'static [&'static [&'static str]],
    /// Whether the reader reads this member of the object. The trajectory keeps all others as they are.
    pub reads: for<'a> fn(&Fields<'a>, &str, Json<'a>) -> bool,
}

/// What the envelope of a document holds.
pub enum Held<'f, 'a> {
    /// The document is this list of messages.
    List(&'a [Json<'a>]),
    /// The document is this message.
    Message(&'f Fields<'a>),
    /// The document is this object, which holds the messages.
    Object(&'f Fields<'a>),
}

/// Adds the messages of an envelope to the conversation.
pub type ReadHeld<'r, 'a> =
    dyn FnMut(Held<'_, 'a>, &mut Conversation<'a>, &mut Import<'a>) -> Result<()> + 'r;

/// Reads the messages of a list, which is at a path.
pub type ReadList<'a> =
    fn(&'a [Json<'a>], &Path, &mut Conversation<'a>, &mut Import<'a>) -> Result<()>;

/// Reads one message, or the messages in an object.
pub type ReadFields<'a> = fn(&Fields<'a>, &mut Conversation<'a>, &mut Import<'a>) -> Result<()>;

/// The member in which a document of any format may state the calls that the agent should make.
const EXPECTED: &str = "expected_calls";

impl Envelope {
    /// The trajectory of `document`, in a list. `list`, `message` or `object` adds its messages, by what the document is.
    ///
    /// # Errors
    /// As [`Envelope::open`].
    pub fn read<'a>(
        &self,
        document: Json<'a>,
        import: &mut Import<'a>,
        list: ReadList<'a>,
        message: ReadFields<'a>,
        object: ReadFields<'a>,
    ) -> Result<Vec<Trajectory<'a>>> {
        let trajectory = self.open(
            document,
            import,
            &mut |held, conversation, import| match held {
                Held::List(messages) => list(messages, &Path::root(), conversation, import),
                Held::Message(fields) => message(fields, conversation, import),
                Held::Object(fields) => object(fields, conversation, import),
            },
        )?;
        Ok(vec![trajectory])
    }

    /// The trajectory of `document`; `read` adds its messages.
    ///
    /// # Errors
    /// [`toolgauge_model::error::Error::InvalidInput`] when `document` is neither a list nor an object, and the
    /// errors of `read`.
    pub fn open<'a>(
        &self,
        document: Json<'a>,
        import: &mut Import<'a>,
        read: &mut ReadHeld<'_, 'a>,
    ) -> Result<Trajectory<'a>> {
        let mut conversation = Conversation::default();
        if let Json::Array(messages) = document {
            read(Held::List(messages), &mut conversation, import)?;
            return Ok(alone(conversation));
        }
        let fields = Fields::of(document, Path::root(), self.what)?;
        if (self.is_message)(document) {
            read(Held::Message(&fields), &mut conversation, import)?;
            return Ok(alone(conversation));
        }
        read(Held::Object(&fields), &mut conversation, import)?;
        let expected_calls = read_expected(&fields, import);
        let is_expected = expected_calls.is_some();
        Ok(Trajectory {
            trajectory_id: self.ids.iter().find_map(|key| fields.text(key)),
            turns: conversation.into_turns(),
            // Some data sets write them as JSON text.
            tools: self.tools_of(document).map(|tools| import.nested(tools)),
            expected_calls,
            extra: fields.rest(import.arena(), |key, value| {
                self.is_tools(key)
                    || (is_expected && key == EXPECTED)
                    || (self.reads)(&fields, key, value)
            }),
        })
    }

    fn tools_of<'a>(&self, document: Json<'a>) -> Option<Json<'a>> {
        let follow = |keys: &&[&str]| keys.iter().try_fold(document, |it, key| it.get(key));
        let mut found = self.tools.iter().filter_map(follow);
        found.find(|tools| !tools.is_null())
    }

    fn is_tools(&self, key: &str) -> bool {
        self.tools.iter().any(|keys| *keys == [key])
    }
}

/// The trajectory of a document that holds nothing but messages.
fn alone(conversation: Conversation<'_>) -> Trajectory<'_> {
    Trajectory {
        turns: conversation.into_turns(),
        ..Trajectory::default()
    }
}

/// The expected calls beside the messages. If they are not a list of calls, the trajectory keeps them
/// as they are.
fn read_expected<'a>(
    fields: &Fields<'a>,
    import: &mut Import<'a>,
) -> Option<Vec<ExpectedCall<'a>>> {
    let calls = fields.get(EXPECTED)?.items()?;
    let read = read_list(calls, &fields.path().key(EXPECTED), import.reader);
    read.map_err(|error| import.warn(fields.path(), error.to_string()))
        .ok()
}
