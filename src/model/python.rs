//! Reads Python literals, which logs contain in place of JSON: single quotes, `True`, `None`, tuples,
//! trailing commas. Also the calls that models write as Python.

use super::json::{Json, Member, Number};
use super::parse::{Reader, drop_repeated_keys};

impl<'a> Reader<'a> {
    /// Reads `text` as a Python literal of dicts, lists, tuples, strings, numbers, `True`, `False` and
    /// `None`; JSON's words for these are accepted, too. `None` for anything else, including sets, bytes and
    /// calls.
    pub fn read_python(self, text: &'a str) -> Option<Json<'a>> {
        let mut literal = Literal {
            reader: self,
            rest: text,
            depth: 0,
            names: Names::Refused,
        };
        let value = literal.value()?;
        literal.skip_space();
        literal.rest.is_empty().then_some(value)
    }

    /// Reads `text` as calls in Python, `f(a=1)` or `[f(a=1), g.h(b='x')]`: the name and the arguments of each,
    /// in order. Arguments must be named; their values are literals, and names, which become texts. `None` for
    /// anything else.
    pub fn read_python_calls(self, text: &'a str) -> Option<Vec<Member<'a>>> {
        self.read_calls(text, |letter| {
            letter.is_alphanumeric() || matches!(letter, '_' | '.')
        })
    }

    /// As [`Reader::read_python_calls`], for a list in brackets in which a name may be several words: `[Find Station(
    /// city="Bern")]`.
    pub fn read_listed_calls(self, text: &'a str) -> Option<Vec<Member<'a>>> {
        let may_be_in_name =
            |letter: char| !matches!(letter, '(' | ')' | '[' | ']' | '\n' | '=' | ',');
        let calls = text.trim_start().starts_with('[').then_some(text)?;
        self.read_calls(calls, may_be_in_name)
    }

    fn read_calls(self, text: &'a str, in_name: fn(char) -> bool) -> Option<Vec<Member<'a>>> {
        let mut literal = Literal {
            reader: self,
            rest: text,
            depth: 0,
            names: Names::AsText,
        };
        let mut calls = Vec::new();
        if literal.take('[') {
            while !literal.take(']') {
                calls.push(literal.call(in_name)?);
                literal.comma_or(']')?;
            }
        } else {
            calls.push(literal.call(in_name)?);
        }
        literal.skip_space();
        literal.rest.is_empty().then_some(calls)
    }
}

/// What a name in the place of a literal is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// No literal.
    Refused,
    /// The text of the name.
    AsText,
}

struct Literal<'a> {
    reader: Reader<'a>,
    rest: &'a str,
    depth: usize,
    names: Names,
}

impl<'a> Literal<'a> {
    fn value(&mut self) -> Option<Json<'a>> {
        self.skip_space();
        match self.rest.as_bytes().first()? {
            b'{' => self.nested(Self::dict),
            b'[' => self.nested(|literal| literal.list(']')),
            b'(' => self.nested(Self::tuple),
            b'\'' | b'"' => self.string().map(Json::String),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<Json<'a>>) -> Option<Json<'a>> {
        self.rest = &self.rest[1..];
        self.depth += 1;
        let value = (self.depth <= self.reader.max_depth()).then(|| read(self))?;
        self.depth -= 1;
        value
    }

    fn dict(&mut self) -> Option<Json<'a>> {
        let mut members: Vec<Member<'a>> = Vec::new();
        while !self.take('}') {
            let key = self.key()?;
            if !self.take(':') {
                return None;
            }
            members.push((key, self.value()?));
            self.comma_or('}')?;
        }
        drop_repeated_keys(&mut members, 0);
        Some(Json::Object(self.reader.arena().alloc_slice_copy(&members)))
    }

    /// Reads `name(argument=value, …)`.
    fn call(&mut self, in_name: fn(char) -> bool) -> Option<Member<'a>> {
        let name = self.name(in_name)?.trim_end();
        if !self.take('(') {
            return None;
        }
        let mut arguments: Vec<Member<'a>> = Vec::new();
        while !self.take(')') {
            let argument = self.name(|letter| letter.is_alphanumeric() || letter == '_')?;
            if !self.take('=') {
                return None;
            }
            arguments.push((argument, self.value()?));
            self.comma_or(')')?;
        }
        drop_repeated_keys(&mut arguments, 0);
        let arguments = self.reader.arena().alloc_slice_copy(&arguments);
        Some((name, Json::Object(arguments)))
    }

    fn name(&mut self, belongs: impl Fn(char) -> bool) -> Option<&'a str> {
        self.skip_space();
        let end = self.rest.find(|letter| !belongs(letter));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
        is_name.then_some(name)
    }

    /// Reads a key. A number becomes text as in JSON.
    fn key(&mut self) -> Option<&'a str> {
        match self.value()? {
            Json::String(key) => Some(key),
            number @ Json::Number(_) => {
                let text = serde_json::to_string(&number).ok()?;
                Some(self.reader.arena().alloc_str(&text))
            }
            _ => None,
        }
    }

    fn list(&mut self, end: char) -> Option<Json<'a>> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.value()?);
            self.comma_or(end)?;
        }
        Some(Json::Array(self.reader.arena().alloc_slice_copy(&items)))
    }

    /// Reads a tuple, or for `(a)` without a comma its content.
    fn tuple(&mut self) -> Option<Json<'a>> {
        let before = self.rest;
        let list = self.list(')')?;
        let inside = &before[..before.len() - self.rest.len() - 1];
        match list {
            Json::Array([one]) if !inside.trim_end().ends_with(',') => Some(*one),
            list => Some(list),
        }
    }

    /// Reads a comma, or stops before `end`.
    fn comma_or(&mut self, end: char) -> Option<()> {
        (self.take(',') || self.rest.starts_with(end)).then_some(())
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn word(&mut self) -> Option<Json<'a>> {
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_'));
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(match word {
            "None" | "null" => Json::Null,
            "True" | "true" => Json::Bool(true),
            "False" | "false" => Json::Bool(false),
            name if self.names == Names::AsText && is_name(name) => Json::String(name),
            number => Json::Number(number_of(number)?),
        })
    }

    fn string(&mut self) -> Option<&'a str> {
        let quote = self.rest.chars().next()?;
        let body = &self.rest[1..];
        let end = body.find([quote, '\\'])?;
        if body[end..].starts_with(quote) {
            self.rest = &body[end + 1..];
            return Some(&body[..end]);
        }
        let mut text = String::from(&body[..end]);
        let mut rest = &body[end..];
        loop {
            let special = rest.find([quote, '\\'])?;
            text.push_str(&rest[..special]);
            rest = &rest[special..];
            if let Some(after) = rest.strip_prefix(quote) {
                self.rest = after;
                return Some(self.reader.arena().alloc_str(&text));
            }
            rest = unescape(&rest[1..], &mut text)?;
        }
    }
}

fn is_name(word: &str) -> bool {
    let starts_well = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts_well && !word.contains(['+', '-'])
}

/// Adds the meaning of the escape at the start of `rest`, and returns the text after it.
fn unescape<'a>(rest: &'a str, text: &mut String) -> Option<&'a str> {
    let escape = rest.chars().next()?;
    let after = &rest[escape.len_utf8()..];
    let digits = match escape {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    if digits > 0 {
        let code = u32::from_str_radix(after.get(..digits)?, 16).ok()?;
        text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
        return Some(&after[digits..]);
    }
    match escape {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        'b' => text.push('\u{8}'),
        'f' => text.push('\u{c}'),
        '0' => text.push('\0'),
        '\n' => {}
        '\\' | '\'' | '"' | '/' => text.push(escape),
        // Python keeps the backslash of an unknown escape.
        other => text.extend(['\\', other]),
    }
    Some(after)
}

fn number_of(word: &str) -> Option<Number> {
    let starts_well =
        word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    if !starts_well || word.contains('_') {
        return None;
    }
    if let Ok(number) = word.parse() {
        return Some(Number::Unsigned(number));
    }
    if let Ok(number) = word.parse() {
        return Some(Number::Negative(number));
    }
    let number: f64 = word.parse().ok()?;
    number.is_finite().then_some(Number::Float(number))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::super::limits::Limits;
    use super::super::testing::any_json;
    use super::*;

    fn read(text: &str) -> Option<String> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let value = reader.read_python(arena.alloc_str(text))?;
        Some(serde_json::to_string(&value).expect("JSON"))
    }

    #[test]
    fn literals_are_read() {
        let cases = [
            (
                "{'a': 1, \"b\": [True, False, None,],}",
                r#"{"a":1,"b":[true,false,null]}"#,
            ),
            (
                "{'it\\'s': \"a \\\"b\\\" 'c'\"}",
                r#"{"it's":"a \"b\" 'c'"}"#,
            ),
            ("(1, -2, 3.5, 1e3, +4)", "[1,-2,3.5,1000.0,4]"),
            (
                "{'a': ('x',), 'b': ('x'), 'c': ()}",
                r#"{"a":["x"],"b":"x","c":[]}"#,
            ),
            (r"'\x41\u00e9\U0001F600\n\q'", "\"Aé😀\\n\\\\q\""),
            ("{1: 'one', 2.5: 'more'}", r#"{"1":"one","2.5":"more"}"#),
            ("{'a': 1, 'a': 2}", r#"{"a":2}"#),
            (" { 'a' :null, 'b':true } ", r#"{"a":null,"b":true}"#),
            ("'\\ud800'", "\"\u{fffd}\""),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    fn read_calls(text: &str) -> Option<String> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let calls = reader.read_python_calls(arena.alloc_str(text))?;
        let written = calls.iter().map(|(name, arguments)| {
            let arguments = serde_json::to_string(arguments).expect("JSON");
            format!("{name} {arguments}")
        });
        Some(written.collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn names_in_a_list_may_be_several_words() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let names = |text: &'static str| {
            let calls = reader.read_listed_calls(text)?;
            Some(calls.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(
            names("[Find Station(city='Bern'), v2/get-line (n=1)]"),
            Some(vec!["Find Station", "v2/get-line"])
        );
        for text in ["Find Station(city='Bern')", "[see below]", "[a, b(n=1)]"] {
            assert_eq!(names(text), None, "{text}");
        }
    }

    #[test]
    fn calls_are_read() {
        let cases = [
            ("f()", "f {}"),
            (
                "[a.b_1(x=1, y='z'), g(on=True, of=[1.5, (2, 3)],)]",
                r#"a.b_1 {"x":1,"y":"z"}; g {"on":true,"of":[1.5,[2,3]]}"#,
            ),
            (" f ( a = { 'b' : None } ) ", r#"f {"a":{"b":null}}"#),
            ("f(a=my_list)", r#"f {"a":"my_list"}"#),
            ("f(größe=1)", r#"f {"größe":1}"#),
            ("[]", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(read_calls(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_calls() {
        let texts = [
            "",
            "f",
            "f(",
            "f(1)",
            "f(a)",
            "f(a=)",
            "f(a=1",
            "[f(a=1)",
            "f(a=1) g()",
            "f(a=g(b=1))",
            "1(a=2)",
            "I would call f(a=1).",
            "{'f': 1}",
            "f(a==1)",
            "f(a=1-2)",
            "(f())",
        ];
        for text in texts {
            assert_eq!(read_calls(text), None, "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_literals() {
        let texts = [
            "",
            "{",
            "{'a'}",
            "{'a': }",
            "{'a': 1 'b': 2}",
            "['a",
            "f(x)",
            "{1, 2}",
            "b'x'",
            "1 2",
            "nan",
            "inf",
            "[,]",
            "{None: 1}",
            "'\\x4'",
            "'\\",
            "1_000",
            "é",
            "{'a': 1}}",
            "--1",
            "'\\xé'",
        ];
        for text in texts {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&deep(256)).is_some());
        assert!(read(&deep(257)).is_none());
        assert!(read(&"(".repeat(1_000_000)).is_none());
    }

    proptest! {
        #[test]
        fn json_keeps_its_value(text in any_json()) {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let text = arena.alloc_str(&text);
            prop_assert_eq!(reader.read_python(text), reader.read_text(text).ok());
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "[\\[\\](){}'\":,=a\\\\xuUTé 0-9.-]{0,30}") {
            read(&text);
            read_calls(&text);
        }
    }
}
