//! What is known when a reply is checked, apart from the reply itself.

use std::cell::OnceCell;

use super::evidence::Evidence;
use super::operands::Offer;
use toolgauge_facts::{TextId, Texts};
use toolgauge_model::{ToolCall, Turn};

/// What is known when a reply is checked.
#[derive(Clone, Copy)]
pub struct Background<'b, 'a> {
    /// Everything that tools and people said.
    pub evidence: Evidence<'b>,
    /// The texts of everything that was said so far.
    pub texts: &'b Texts<'a>,
    /// The calls made so far.
    pub calls: &'b [&'b ToolCall<'a>],
    /// What the result of each call offers for counting. It is computed when it is first needed.
    pub offers: &'b [OnceCell<Offer<'a>>],
    /// The turns before the reply.
    pub earlier: &'b [Turn<'a>],
    /// The text of each of these turns.
    pub said: &'b [TextId],
}
