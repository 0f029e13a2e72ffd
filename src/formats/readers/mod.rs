//! The formats that contain conversations, one file each. A reader uses the kit, and no other reader.

pub mod adk;
pub mod ai_sdk_model;
pub mod ai_sdk_steps;
pub mod ai_sdk_ui;
pub mod anthropic;
pub mod atif;
pub mod bedrock;
pub mod bfcl;
pub mod claude_code;
pub mod cohere;
pub mod deepeval;
pub mod gemini;
pub mod harness;
pub mod hermes;
pub mod inspect;
pub mod langchain;
pub mod mastra;
pub mod nemo_gym;
pub mod openai_agents;
pub mod openai_chat;
pub mod openai_responses;
pub mod ragas;
pub mod swe_agent;
pub mod tau2;
pub mod tau_bench;
pub mod tooltalk;
