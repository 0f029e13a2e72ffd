//! Splits a reply into sentences and words.

/// The most bytes of a reply that are read.
const MOST_READ: usize = 20_000;

/// The longest abbreviation, in letters, plus one to notice that a word is longer.
const MOST_SHORT: usize = 6;

/// The longest quotation, in letters.
const MOST_QUOTED: usize = 400;

/// The word that replaces a quotation, because the reply does not claim what it quotes.
pub const QUOTED: &str = "\"";

/// A sentence of a reply.
#[derive(Debug)]
pub struct Sentence<'t> {
    /// The sentence as written, without list markers.
    pub text: &'t str,
    /// Its words.
    pub words: Vec<Word>,
    /// The kind of sentence.
    pub mood: Mood,
    /// Whether it is an item of a list.
    pub is_item: bool,
}

/// A word of a sentence.
#[derive(Debug)]
pub struct Word {
    /// The word in lower case. A contraction is two words.
    pub text: String,
    /// Whether a comma, a dash, a colon or a bracket separates it from the word before.
    pub starts_clause: bool,
}

/// The kind of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// A statement.
    Statement,
    /// A question.
    Question,
    /// The line that introduces a list, or the heading of a section.
    LeadIn,
}

/// Returns the sentences of `reply`, in order, without code, tables and quotations.
pub fn sentences(reply: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in toolgauge_model::start_of(reply, MOST_READ).lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        if is_code || line.starts_with(['>', '|', '{', '<']) {
            continue;
        }
        let (line, mark) = without_mark(line);
        split(line, mark, &mut found);
    }
    found
}

/// The marker at the beginning of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Heading,
    Item,
}

/// Returns `line` without the marker of a heading or an item.
fn without_mark(line: &str) -> (&str, Mark) {
    let bare = line.trim_start_matches('#');
    if bare.len() < line.len() && bare.starts_with(' ') {
        return (bare.trim(), Mark::Heading);
    }
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = match numbered.len() < line.len() {
        true => numbered.strip_prefix(". ").or(numbered.strip_prefix(") ")),
        false => None,
    };
    let item = numbered.or_else(|| {
        let rest = line.strip_prefix(['-', '*', '•', '–', '+', '●', '◦', '▪'])?;
        rest.starts_with([' ', '\t']).then_some(rest)
    });
    item.map_or((line, Mark::None), |item| (item.trim(), Mark::Item))
}

/// Adds the sentences of one line.
fn split<'t>(line: &'t str, mark: Mark, found: &mut Vec<Sentence<'t>>) {
    let mut start = 0;
    let mut quoted = 0;
    for (at, letter) in line.char_indices() {
        if at < quoted {
            continue;
        }
        if let Some(rest) = after_quotation(&line[at..]) {
            quoted = line.len() - rest.len();
            if ends_quoted(&line[at..quoted]) && rest.trim_start().starts_with(char::is_uppercase) {
                add(&line[start..quoted], mark, found);
                start = quoted;
            }
            continue;
        }
        let end = at + letter.len_utf8();
        if matches!(letter, '.' | '!' | '?' | ';' | '…') && ends_here(line, start, at, end) {
            add(&line[start..end], mark, found);
            start = end;
        }
    }
    add(&line[start..], mark, found);
}

/// Returns whether a quotation ends with a sentence mark.
fn ends_quoted(quotation: &str) -> bool {
    let inside = quotation.trim_end_matches(['”', '"', '»', '`']);
    inside.ends_with(['.', '!', '?'])
}

/// Returns whether the mark from `at` to `end` ends the sentence that begins at `start`.
fn ends_here(line: &str, start: usize, at: usize, end: usize) -> bool {
    const SHORT: &[&str] = &[
        "dr", "e.g", "etc", "i.e", "mr", "mrs", "ms", "no", "prof", "st", "vs",
    ];
    let after = line[end..].chars().next();
    let before = line[..at].chars().next_back();
    if !line[at..].starts_with('.') {
        return after.is_none_or(|next| !matches!(next, '.' | '!' | '?'));
    }
    let is_glued = before.is_some_and(char::is_lowercase)
        && after.is_some_and(char::is_uppercase)
        && !line[start..at].ends_with('/');
    if !is_glued && after.is_some_and(|next| !next.is_whitespace() && !"\"”')*_".contains(next)) {
        return false;
    }
    let letters = line[start..at].chars().rev().take(MOST_SHORT);
    let last: Vec<_> = letters.take_while(|c| !" (".contains(*c)).collect();
    let last = last.into_iter().rev().collect::<String>().to_lowercase();
    let next = line[end..].trim_start().chars().next();
    let is_initial = last.chars().count() == 1 && last != "i" && !last.contains(char::is_numeric);
    let is_lower = next.is_some_and(char::is_lowercase);
    let is_short = SHORT.contains(&last.as_str()) && next.is_some_and(char::is_alphanumeric);
    let goes_on = is_lower && (is_initial || last.ends_with(".m"));
    !is_short && !goes_on
}

/// Adds one sentence. A question after a statement becomes a sentence of its own.
fn add<'t>(text: &'t str, mark: Mark, found: &mut Vec<Sentence<'t>>) {
    let trim = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '—' | '–');
    let text = text.trim_matches(trim);
    if text.is_empty() {
        return;
    }
    if !text.ends_with('?') {
        let is_lead_in = mark == Mark::Heading || text.ends_with(':');
        let mood = if is_lead_in {
            Mood::LeadIn
        } else {
            Mood::Statement
        };
        return push(text, mood, mark, found);
    }
    let asks = |rest: &str| {
        let first = first_words(rest, 1).into_iter().next();
        first.is_some_and(|word| ASKING.binary_search(&word.text.as_str()).is_ok())
    };
    let comma = text.rfind([',', '—', '–']);
    let parts = comma.map(|at| text.split_at(at));
    match parts {
        Some((statement, question)) if asks(question) && !asks(statement) => {
            push(statement.trim(), Mood::Statement, mark, found);
            push(question, Mood::Question, mark, found);
        }
        _ => push(text, Mood::Question, mark, found),
    }
}

fn push<'t>(text: &'t str, mood: Mood, mark: Mark, found: &mut Vec<Sentence<'t>>) {
    let words = words(text);
    if !words.is_empty() {
        found.push(Sentence {
            text,
            words,
            mood,
            is_item: mark == Mark::Item,
        });
    }
}

/// Words that begin a question.
const ASKING: &[&str] = &[
    "any", "anything", "are", "can", "could", "did", "do", "does", "has", "have", "how", "is",
    "may", "shall", "should", "was", "were", "what", "when", "where", "which", "who", "will",
    "would",
];

/// Returns the words of `text`, with contractions written out.
pub fn words(text: &str) -> Vec<Word> {
    first_words(text, usize::MAX)
}

/// Returns the first words of `text`: at least `most`, if it has so many.
fn first_words(text: &str, most: usize) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut starts_clause = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next().filter(|_| found.len() < most) {
        if let Some(after) = after_quotation(rest) {
            found.push(word(QUOTED, &mut starts_clause));
            rest = after;
        } else if is_letter(first) {
            let end = word_end(rest);
            add_word(&rest[..end], &mut starts_clause, &mut found);
            rest = &rest[end..];
        } else {
            starts_clause |= matches!(first, ',' | ':' | '—' | '–' | '(' | ')' | '!' | '→')
                || (first == '-' && rest[1..].starts_with(' '));
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

fn word(text: impl Into<String>, starts_clause: &mut bool) -> Word {
    Word {
        text: text.into(),
        starts_clause: std::mem::take(starts_clause),
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '#' | '$' | '€' | '£')
}

/// Returns where the first word of `text` ends.
fn word_end(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let is_inside = matches!(letter, '\'' | '’' | '-' | '_' | '.' | ',' | '@' | ':' | '/')
            && letters
                .peek()
                .is_some_and(|(_, next)| next.is_alphanumeric())
            && (!matches!(letter, ',' | ':') || text[..at].ends_with(|c: char| c.is_ascii_digit()));
        let is_sentence_end = letter == '.' && {
            let next = letters.peek().map(|(_, next)| *next);
            text[..at].ends_with(char::is_lowercase) && next.is_some_and(char::is_uppercase)
        };
        if (!is_letter(letter) && !is_inside) || is_sentence_end {
            return at;
        }
    }
    text.len()
}

/// Returns what follows the quotation at the beginning of `text`.
fn after_quotation(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let close = match first {
        '"' => '"',
        '“' | '„' => '”',
        '`' => '`',
        '«' => '»',
        _ => return None,
    };
    let inside = &text[first.len_utf8()..];
    let end = toolgauge_model::start_of(inside, MOST_QUOTED).find(close)?;
    Some(&inside[end + close.len_utf8()..])
}

/// Adds a word, with its contraction written out: "couldn't" as "could not".
fn add_word(written: &str, starts_clause: &mut bool, found: &mut Vec<Word>) {
    let lower = match written.is_ascii() {
        true => written.to_ascii_lowercase(),
        false => written.to_lowercase().replace('’', "'"),
    };
    if !lower.contains('\'') && lower != "cannot" {
        return found.push(word(lower, starts_clause));
    }
    let mut push = |text: &str| found.push(word(text, starts_clause));
    match lower.as_str() {
        "cannot" | "can't" => return ["can", "not"].into_iter().for_each(push),
        "won't" => return ["will", "not"].into_iter().for_each(push),
        _ => {}
    }
    if let Some(verb) = lower.strip_suffix("n't") {
        push(verb);
        return push("not");
    }
    let Some((head, tail)) = lower.split_once('\'') else {
        return push(&lower);
    };
    push(head);
    match tail {
        "ve" => push("have"),
        "ll" => push("will"),
        "re" => push("are"),
        "m" => push("am"),
        "d" => push("would"),
        "s" if matches!(
            head,
            "everything" | "he" | "here" | "it" | "she" | "that" | "there" | "what" | "who"
        ) =>
        {
            push("is");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_up(reply: &str) -> Vec<(String, Mood)> {
        let sentences = sentences(reply).into_iter();
        sentences
            .map(|sentence| (sentence.text.to_owned(), sentence.mood))
            .collect()
    }

    #[test]
    fn replies_are_split_into_sentences() {
        use Mood::{LeadIn, Question, Statement};
        let cases: &[(&str, &[(&str, Mood)])] = &[
            (
                "Your visit with Dr. Lind is booked.It costs $1,20.50. Anything else?",
                &[
                    ("Your visit with Dr. Lind is booked.", Statement),
                    ("It costs $1,20.50.", Statement),
                    ("Anything else?", Question),
                ],
            ),
            (
                "## Next\n- I sent it, is there more?\n```\nI deleted all.\n```\n> You said so.\n1. **Done**",
                &[
                    ("Next", LeadIn),
                    ("I sent it", Statement),
                    (", is there more?", Question),
                    ("Done", Statement),
                ],
            ),
            (
                "It leaves at 5 p.m. from gate 3. See example.org/a.b for more!",
                &[
                    ("It leaves at 5 p.m. from gate 3.", Statement),
                    ("See example.org/a.b for more!", Statement),
                ],
            ),
        ];
        for (reply, wanted) in cases {
            let wanted: Vec<_> = wanted
                .iter()
                .map(|(text, mood)| ((*text).to_owned(), *mood))
                .collect();
            assert_eq!(split_up(reply), wanted, "{reply}");
        }
    }

    #[test]
    fn contractions_are_written_out_and_quotations_are_one_word() {
        let joined = |text: &str| {
            let words = words(text).into_iter();
            words.map(|word| word.text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            joined("I couldn’t send “the report, cancelled” – it's Kim's."),
            "i could not send \" it is kim"
        );
        assert_eq!(
            joined("a 65\" TV, won't, CANNOT"),
            "a 65 tv will not can not"
        );
    }
}
