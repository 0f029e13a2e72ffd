//! Recognises currencies, which make a number an amount of money.

use crate::text::{Token, TokenKind, WordList};

/// Currency codes, which are written in capitals.
pub static CODES: WordList = WordList::of(
    "usd eur gbp jpy cny rmb inr nok sek dkk isk chf cad aud nzd hkd sgd twd krw thb idr myr php \
    vnd mxn brl ars clp cop zar aed sar ils pln czk huf ron uah rub",
);

/// The currency codes that are also written in lower case.
static LOWER_CODES: WordList = WordList::of("usd eur gbp nok sek dkk");

/// Names of currencies that follow a number.
pub static CURRENCIES: WordList = WordList::of(
    "dollar dollars euro euros kroner krone kronen kronor kr dólares dolares rupees rupee yen yuan \
    francs franc franken pesos peso reais bucks coronas couronnes quid 円 元 圆 원",
);

/// Names of the hundredths of currencies.
pub static HUNDREDTHS: WordList =
    WordList::of("cent cents pence centimes centime céntimos øre öre");

/// Abbreviations of currencies that precede a number.
pub static CURRENCIES_BEFORE: WordList = WordList::of("kr rs usd eur gbp nok");

/// Words between a number and the name of its currency.
pub static CURRENCY_ADJECTIVES: WordList = WordList::of(
    "us canadian australian american singapore hong kong norwegian swedish danish de d",
);

/// Checks whether the token is a currency sign.
pub fn is_currency(token: &Token<'_>) -> bool {
    matches!(
        token.sign(),
        Some('$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₫' | '฿' | '￥' | '₪' | '₱')
    )
}

/// Checks whether the token is a currency that may precede a number: `USD`, `kr`.
pub fn is_currency_before(token: &Token<'_>) -> bool {
    token.says_one_of(&CURRENCIES_BEFORE) || is_code(token)
}

/// Checks whether a word, in any case, is a currency that may precede a number.
pub fn may_be_currency_before(word: &Token<'_>) -> bool {
    word.says_one_of(&CURRENCIES_BEFORE) || word.says_one_of(&CODES)
}

/// Checks whether the letters glued to a number are a currency: `100kr`, `100EUR`.
pub fn is_currency_ending(ending: &Token<'_>) -> bool {
    ending.says_one_of(&CURRENCIES) || is_code(ending)
}

fn is_code(word: &Token<'_>) -> bool {
    let list = match word.text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        true => &CODES,
        false if word.text.bytes().all(|byte| byte.is_ascii_lowercase()) => &LOWER_CODES,
        false => return false,
    };
    word.says_one_of(list)
}

/// Returns the number of tokens of `,-` at the start of `rest`, which means "no cents": `499,-`.
fn dash_length(rest: &[Token<'_>]) -> Option<usize> {
    let [comma, dash, after @ ..] = rest else {
        return None;
    };
    let is_dash = comma.is(',') && comma.glued && dash.glued && (dash.is('-') || dash.is('–'));
    let ends = after
        .first()
        .is_none_or(|next| !(next.glued && next.starts_with_digit()));
    (is_dash && ends).then_some(2)
}

/// Returns the power of ten of the currency at the start of `rest`, and the number of its tokens.
pub fn currency(rest: &[Token<'_>], is_money: bool) -> Option<(i32, usize)> {
    let first = rest.first()?;
    let next = rest.get(1).filter(|next| next.starts_with_digit());
    if first.kind == TokenKind::Sign {
        let is_compound =
            first.is('-') && first.glued && rest.get(1)?.says_one_of("dollar euro cent");
        if is_compound {
            return currency(&rest[1..], is_money).map(|(power, length)| (power, length + 1));
        }
        if let Some(length) = dash_length(rest) {
            let currency = currency(&rest[length..], is_money);
            return Some((0, length + currency.map_or(0, |(_, length)| length)));
        }
        return ((is_currency(first) || first.is('¢')) && next.is_none_or(|next| !next.glued))
            .then_some((if first.is('¢') { -2 } else { 0 }, 1));
    }
    if first.kind != TokenKind::Letters {
        return None;
    }
    let mut at = 0;
    while rest
        .get(at)
        .is_some_and(|word| word.says_one_of(&CURRENCY_ADJECTIVES))
        && at < 2
    {
        at += 1 + usize::from(
            rest.get(at + 1)
                .is_some_and(|sign| sign.is('’') || sign.is('\'')),
        );
    }
    let word = rest.get(at)?;
    let is_code = at == 0 && is_code(word) && (next.is_none() || !is_money);
    if is_code || word.says_one_of(&CURRENCIES) {
        return Some((0, at + 1));
    }
    word.says_one_of(&HUNDREDTHS).then_some((-2, at + 1))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::testing::check;

    #[test]
    fn money() {
        check(
            read,
            &[
                ("$100 and $ 5.", &["money 100 in $100", "money 5 in $ 5"]),
                ("$1,234.50", &["money 1234.5 in $1,234.50"]),
                (
                    "$1,250 1.250 €",
                    &["money 1250 in $1,250", "money 1250 in 1.250 €"],
                ),
                (
                    "-$5, $-5, −€5",
                    &["money -5 in -$5", "money -5 in $-5", "money -5 in −€5"],
                ),
                (
                    "$1.2k, $5M, $3 million, €2bn",
                    &[
                        "money 1200 in $1.2k",
                        "money 5000000 in $5M",
                        "money 3000000 in $3 million",
                        "money 2000000000 in €2bn",
                    ],
                ),
                (
                    "100 €, 100€, 5 $.",
                    &["money 100 in 100 €", "money 100 in 100€", "money 5 in 5 $"],
                ),
                (
                    "USD 50, 50 USD, $50 USD",
                    &[
                        "money 50 in USD 50",
                        "money 50 in 50 USD",
                        "money 50 in $50 USD",
                    ],
                ),
                (
                    "50 USD 30 EUR",
                    &["money 50 in 50 USD", "money 30 in 30 EUR"],
                ),
                (
                    "kr 100, kr. 100, 100 kr",
                    &[
                        "money 100 in kr 100",
                        "money 100 in kr. 100",
                        "money 100 in 100 kr",
                    ],
                ),
                (
                    "50 dollars, 20 US dollars, 50-dollar",
                    &[
                        "money 50 in 50 dollars",
                        "money 20 in 20 US dollars",
                        "money 50 in 50-dollar",
                    ],
                ),
                ("1.234,50 Euro", &["money 1234.5 in 1.234,50 Euro"]),
                (
                    "5 millions d’euros",
                    &["money 5000000 in 5 millions d’euros"],
                ),
                (
                    "50 cents, 7¢",
                    &["money 0.5 in 50 cents", "money 0.07 in 7¢"],
                ),
                (
                    "$50-$100, 5-10 EUR",
                    &[
                        "money 50 in $50",
                        "money 100 in $100",
                        "money 5 in 5",
                        "money 10 in 10 EUR",
                    ],
                ),
                (
                    "kr 499,-, 99,- €, 2,3 Mrd. Euro, 3 Mio. €",
                    &[
                        "money 499 in kr 499,-",
                        "money 99 in 99,- €",
                        "money 2300000000 in 2,3 Mrd. Euro",
                        "money 3000000 in 3 Mio. €",
                    ],
                ),
                (
                    "1万2千円, 1億2万3円",
                    &["money 12000 in 1万2千円", "money 100020003 in 1億2万3円"],
                ),
                ("3万円", &["money 30000 in 3万円"]),
                ("1 234 EUR", &["money 1234 in 1 234 EUR"]),
            ],
        );
    }
}
