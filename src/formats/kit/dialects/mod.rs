//! Messages of one provider or framework that more than one format contains, and calls in the texts of models.

pub mod ai_sdk;
pub mod anthropic;
pub mod bedrock;
pub mod gemini;
pub mod langchain;
pub mod openai_chat;
pub mod openai_exchange;
pub mod openai_items;
pub mod rendered;
pub mod text_calls;
