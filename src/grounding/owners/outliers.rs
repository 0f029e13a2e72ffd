//! Finds ids that are followed by the values of another record: "A-1 (all that A-2 holds)".

use super::checker::Checker;
use super::segments::Segment;
use super::wrong::Wrong;

impl Checker<'_, '_> {
    /// Returns the names followed by brackets with at least two values, none of which the named record holds, but
    /// which one other record holds all together.
    pub fn outliers(
        &self,
        segment: &Segment,
        names: &[usize],
        within: &std::ops::Range<usize>,
    ) -> Vec<(usize, Wrong)> {
        let mut found = Vec::new();
        for name in names {
            let values = within.clone().filter(|at| {
                at > name && !names.contains(at) && self.bracketed(*at, names) == Some(*name)
            });
            let values: Vec<usize> = values.collect();
            if !self.is_id(*name)
                || values.len() < 2
                || values.iter().any(|at| self.is_fine(*at, &[*name]))
            {
                continue;
            }
            if let Some(owner) = self.owner_of_all(*name, &values)
                && let Some(held) = self.named_by(*name).first()
            {
                let place = self.place(&self.mentions[*name]);
                let wrong = self.wrong_at(place, segment, *name, Some(owner), *held);
                found.push((*name, wrong));
            }
        }
        found
    }

    /// Returns the id field of a record that holds all of these values and has an id under the same key as the named
    /// record.
    pub fn owner_of_all(&self, name: usize, values: &[usize]) -> Option<usize> {
        let records = self.records;
        let (first, rest) = values.split_first()?;
        let id_keys: Vec<_> = self
            .named_by(name)
            .iter()
            .map(|named| records.fields[*named].key)
            .collect();
        let holds = |record: usize, at: &usize| {
            let mut owners = self.mentions[*at].owners.iter();
            owners.any(|owner| records.records[record].fields.contains(&(*owner as usize)))
        };
        let candidates = self.mentions[*first]
            .owners
            .iter()
            .map(|owner| records.fields[*owner as usize].record);
        candidates
            .filter(|record| rest.iter().all(|at| holds(*record, at)))
            .find_map(|record| {
                let mut fields = records.records[record].fields.clone().take(40);
                fields.find(|at| {
                    let field = &records.fields[*at];
                    field.record == record
                        && field.value.is_some()
                        && !field.key.is_empty()
                        && id_keys.contains(&field.key)
                })
            })
    }
}
