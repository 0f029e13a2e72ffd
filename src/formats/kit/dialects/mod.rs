//! How one provider or framework writes messages, where more than one format holds them.

pub mod ai_sdk;
pub mod anthropic;
pub mod gemini;
pub mod langchain;
pub mod openai_chat;
pub mod openai_items;
