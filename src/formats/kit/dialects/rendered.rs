//! Conversations as models see them: one text, with the marks of a chat template around each message.

use toolgauge_model::Json;
use toolgauge_model::text_calls::{
    CHATML, HARMONY, HARMONY_ENDS, HARMONY_MESSAGE, LLAMA, names, rendered_chat,
};

/// One message of such a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendered<'a> {
    /// Instructions.
    System(&'a str),
    /// What the user says.
    User(&'a str),
    /// What the agent says, with the marks of its calls.
    Agent(&'a str),
    /// What a tool returns.
    Result {
        /// The tool, if the message names it.
        tool: Option<&'a str>,
        /// Its text.
        text: &'a str,
    },
}

/// The text of a document that is such a conversation.
pub fn rendered_text(document: Json<'_>) -> Option<&str> {
    rendered_chat(document.as_str()?)
}

/// The messages of a conversation. Empty ones are left out: templates end with the opening mark of the agent's answer.
pub fn rendered_messages(text: &str) -> Vec<Rendered<'_>> {
    let messages = match text {
        text if text.starts_with(CHATML) => text.split(CHATML).skip(1).filter_map(chatml).collect(),
        text if text.starts_with(HARMONY) => harmony(text),
        _ => text.split(LLAMA).skip(1).filter_map(llama).collect(),
    };
    let has_text = |message: &Rendered<'_>| match message {
        Rendered::System(text) | Rendered::User(text) | Rendered::Agent(text) => !text.is_empty(),
        Rendered::Result { .. } => true,
    };
    messages.into_iter().filter(has_text).collect()
}

fn chatml(message: &str) -> Option<Rendered<'_>> {
    let (role, text) = message.split_once('\n').unwrap_or((message, ""));
    let text = text.split("<|im_end|>").next().unwrap_or_default().trim();
    message_of(role.trim().split(' ').next()?, text)
}

fn llama(message: &str) -> Option<Rendered<'_>> {
    let (role, text) = message.split_once("<|end_header_id|>")?;
    let end = text.find("<|eot_id|>").or_else(|| text.find("<|eom_id|>"));
    message_of(role.trim(), text[..end.unwrap_or(text.len())].trim())
}

fn message_of<'a>(role: &'a str, text: &'a str) -> Option<Rendered<'a>> {
    Some(match role {
        "system" | "developer" => Rendered::System(text),
        "user" => Rendered::User(text),
        "assistant" => Rendered::Agent(text),
        "tool" | "observation" | "ipython" | "environment" => Rendered::Result { tool: None, text },
        tool => Rendered::Result {
            tool: Some(names::plain(tool)).filter(|tool| names::is_name(tool)),
            text,
        },
    })
}

/// The messages of Harmony. Those of the agent that follow each other are one, because only together they are a turn: its
/// thoughts, and then its call or its answer.
fn harmony(text: &str) -> Vec<Rendered<'_>> {
    let mut messages = Vec::new();
    let starts: Vec<_> = text.match_indices(HARMONY).map(|(at, _)| at).collect();
    let mut agent = None;
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let message = &text[start + HARMONY.len()..end];
        if message.starts_with("assistant") {
            let first = agent.map_or(*start, |(first, _)| first);
            agent = Some((first, end));
            continue;
        }
        if let Some((first, end)) = agent.take() {
            messages.push(Rendered::Agent(&text[first..end]));
        }
        messages.extend(harmony_message(message));
    }
    if let Some((first, end)) = agent {
        let answer = text[first..end].trim_end();
        let is_open = !answer.contains(HARMONY_MESSAGE);
        messages.extend((!is_open).then_some(Rendered::Agent(answer)));
    }
    messages
}

fn harmony_message(message: &str) -> Option<Rendered<'_>> {
    let (header, body) = message.split_once(HARMONY_MESSAGE)?;
    let ends = HARMONY_ENDS.iter().filter_map(|end| body.find(end));
    let text = &body[..ends.min().unwrap_or(body.len())];
    let role = header.split([' ', '<']).next().unwrap_or_default();
    message_of(role, text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_chatml_are_found() {
        let text = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.\nBye.<|im_end|>\n<|im_start|>tool\n7<|im_end|>\n<|im_start|>assistant\n";
        let expected = [
            Rendered::System("Be brief."),
            Rendered::User("Hi"),
            Rendered::Agent("Hello.\nBye."),
            Rendered::Result {
                tool: None,
                text: "7",
            },
        ];
        assert_eq!(rendered_messages(text), expected);
    }

    #[test]
    fn messages_of_llama_are_found() {
        let text = "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n<|python_tag|>{}<|eom_id|><|start_header_id|>ipython<|end_header_id|>\n\n7<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n";
        let expected = [
            Rendered::User("Hi"),
            Rendered::Agent("<|python_tag|>{}"),
            Rendered::Result {
                tool: None,
                text: "7",
            },
        ];
        assert_eq!(rendered_messages(text), expected);
    }

    #[test]
    fn messages_of_harmony_are_found() {
        let text = "<|start|>developer<|message|>Use f.<|end|><|start|>user<|message|>Hi<|end|><|start|>assistant<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>7<|end|><|start|>assistant";
        let agent = "<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|call|>";
        let expected = [
            Rendered::System("Use f."),
            Rendered::User("Hi"),
            Rendered::Agent(agent),
            Rendered::Result {
                tool: Some("f"),
                text: "7",
            },
        ];
        assert_eq!(rendered_messages(text), expected);
    }

    #[test]
    fn other_texts_are_no_conversations() {
        for text in ["", "Hi", "{}", "See <|im_start|>", "<|message|>"] {
            assert_eq!(rendered_text(Json::String(text)), None, "{text}");
        }
        assert_eq!(rendered_text(Json::Null), None);
    }
}
