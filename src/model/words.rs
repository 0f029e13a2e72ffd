//! Splits names and descriptions into words.

/// Returns the words of `text` in lower case, separated by case and by anything that is neither a letter nor
/// a digit: `getUser`, `get_user` and `Get user.` have the same words.
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in text.chars() {
        let starts = c.is_uppercase() && was_lower;
        if (starts || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns the singular of an English word in lower case: `users` becomes `user`.
pub fn singular(mut word: String) -> String {
    if word.len() > 2 && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
    word
}
