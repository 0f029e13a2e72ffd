//! What is known besides a reply that is checked.

use std::cell::OnceCell;

use super::evidence::Evidence;
use super::operands::Offer;
use toolgauge_facts::{TextId, Texts};
use toolgauge_model::{ToolCall, Turn};

/// What is known besides the reply.
#[derive(Clone, Copy)]
pub struct Background<'b, 'a> {
    /// All that tools and people said.
    pub evidence: Evidence<'b>,
    /// The texts of all that was said so far.
    pub texts: &'b Texts<'a>,
    /// The calls made so far.
    pub calls: &'b [&'b ToolCall<'a>],
    /// What the result of each call offers, as soon as somebody asks.
    pub offers: &'b [OnceCell<Offer<'a>>],
    /// The turns before the reply.
    pub earlier: &'b [Turn<'a>],
    /// What each of them says.
    pub said: &'b [TextId],
}
