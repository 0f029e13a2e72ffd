//! Renders the notices as text for people.

use std::collections::HashMap;

use super::Product;
use super::component::Component;

/// The components of one part of the product.
pub struct Section<'a> {
    /// The name of the part.
    pub place: &'static str,
    /// Its components, in order.
    pub components: &'a [Component],
}

/// The licence texts, each once, with the numbers that the components refer to.
#[derive(Default)]
struct Texts<'a> {
    numbers: HashMap<String, usize>,
    texts: Vec<&'a str>,
}

impl<'a> Texts<'a> {
    /// Returns the number of a text. Texts that differ only in white space are the same.
    fn number(&mut self, text: &'a str) -> usize {
        let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
        *self.numbers.entry(key).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len()
        })
    }
}

/// Renders the notices of a product: its components with their licences, followed by the licence texts.
pub fn render(product: &Product, sections: &[Section<'_>]) -> String {
    let mut texts = Texts::default();
    let mut out = format!(
        "Third-party notices of {} {}\n\n\
         {} is licensed under {}. It holds code of others, which is listed here with its licences.\n",
        product.name, product.version, product.name, product.license
    );
    for Section { place, components } in sections {
        out.push_str(&format!("\n\n== In {place} ==\n"));
        for component in *components {
            let numbers: Vec<usize> = component
                .texts
                .iter()
                .map(|text| texts.number(text))
                .collect();
            describe(&mut out, component, &numbers);
        }
    }
    out.push_str("\n\n== Licence texts ==\n");
    for (at, text) in texts.texts.iter().enumerate() {
        out.push_str(&format!("\n-- Text {} --\n\n{text}\n", at + 1));
    }
    out
}

fn describe(out: &mut String, component: &Component, texts: &[usize]) {
    let Component {
        name,
        version,
        license,
        authors,
        ..
    } = component;
    out.push_str(&format!("\n{name} {version}\n  Licence: {license}\n"));
    let holders = copyright_lines(&component.texts);
    if !authors.is_empty() {
        out.push_str(&format!("  Authors: {}\n", authors.join(", ")));
    } else if holders.is_empty() {
        out.push_str("  Authors: not named\n");
    }
    for line in holders {
        out.push_str(&format!("  {line}\n"));
    }
    let numbers: Vec<String> = texts.iter().map(usize::to_string).collect();
    out.push_str(&format!("  Texts: {}\n", numbers.join(", ")));
}

/// Returns the lines that name copyright holders, each once.
fn copyright_lines(texts: &[String]) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        let line = line.trim_matches(|c: char| c.is_whitespace() || "*#/-".contains(c));
        if names_holder(line) && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Returns whether a line names a copyright holder. Sentences of licences mention copyright, too, and some
/// texts have a placeholder.
fn names_holder(line: &str) -> bool {
    let Some(rest) = line
        .strip_prefix("Copyright ")
        .or_else(|| line.strip_prefix("© "))
    else {
        return false;
    };
    let dated = rest.contains(|c: char| c.is_ascii_digit());
    let signed = rest.starts_with("(c) ") || rest.starts_with("(C) ") || rest.starts_with('©');
    (dated || signed) && !rest.contains(['[', '{']) && !rest.contains("<year>")
}

#[cfg(test)]
mod tests {
    use super::super::Product;
    use super::super::component::Component;
    use super::{Section, copyright_lines, render};

    fn component(name: &str, text: &str) -> Component {
        Component {
            purl: format!("pkg:cargo/{name}@1.0.0"),
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: "MIT".to_owned(),
            authors: vec!["Ann Example".to_owned()],
            hash: None,
            texts: vec![text.to_owned()],
            needs: Vec::new(),
        }
    }

    #[test]
    fn a_text_shared_by_several_components_appears_once() {
        let product = Product {
            name: "product".to_owned(),
            version: "0.1.0".to_owned(),
            description: String::new(),
            license: "MIT".to_owned(),
        };
        let held = [
            component("one", "Some  text"),
            component("two", "Some\ntext"),
        ];
        let others = [component("three", "Another text")];
        let sections = [
            Section {
                place: "the module",
                components: &held,
            },
            Section {
                place: "the scripts",
                components: &others,
            },
        ];
        let expected = "Third-party notices of product 0.1.0

product is licensed under MIT. It holds code of others, which is listed here with its licences.


== In the module ==

one 1.0.0
  Licence: MIT
  Authors: Ann Example
  Texts: 1

two 1.0.0
  Licence: MIT
  Authors: Ann Example
  Texts: 1


== In the scripts ==

three 1.0.0
  Licence: MIT
  Authors: Ann Example
  Texts: 2


== Licence texts ==

-- Text 1 --

Some  text

-- Text 2 --

Another text
";
        assert_eq!(render(&product, &sections), expected);
    }

    #[test]
    fn copyright_holders_are_found_among_the_lines() {
        let text = "MIT License

Copyright (c) 2020 Ann Example
 * Copyright © Bob Example
Copyright 2021 Eve Example <eve@example.com>
Copyright (c) <year> <copyright holders>
Copyright [yyyy] [name of copyright owner]
Copyright notice and this permission notice shall be kept.
copyright 2020 in a sentence
Copyright (c) 2020 Ann Example";
        assert_eq!(
            copyright_lines(&[text.to_owned()]),
            [
                "Copyright (c) 2020 Ann Example",
                "Copyright © Bob Example",
                "Copyright 2021 Eve Example <eve@example.com>"
            ]
        );
    }
}
