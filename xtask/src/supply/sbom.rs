//! Renders the bill of materials: CycloneDX 1.6 as JSON, independent of the time.

use anyhow::Result;
use serde::Serialize;
use serde_json::{Value, json};

use super::Product;
use super::component::Component;
use super::crates::Module;

/// Renders the bill of materials of the package, which contains the module and the scripts.
pub fn render(product: &Product, module: &Module, scripts: &[Component]) -> Result<String> {
    let root = format!("pkg:npm/{}@{}", product.name, product.version);
    let mut held: Vec<&Component> = module.components.iter().chain(scripts).collect();
    held.sort_by(|a, b| a.purl.cmp(&b.purl));
    let mut needs = module.direct.clone();
    needs.extend(scripts.iter().map(|component| component.purl.clone()));
    let own = Dependency::new(&root, &needs);
    let others = held
        .iter()
        .map(|component| Dependency::new(&component.purl, &component.needs));
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": root,
                "name": product.name,
                "version": product.version,
                "description": product.description,
                "licenses": [{ "expression": product.license }],
                "purl": root,
            },
        },
        "components": held.iter().map(|component| describe(component)).collect::<Vec<_>>(),
        "dependencies": std::iter::once(own).chain(others).collect::<Vec<_>>(),
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

/// The dependencies of one component.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dependency {
    #[serde(rename = "ref")]
    reference: String,
    depends_on: Vec<String>,
}

impl Dependency {
    fn new(reference: &str, needs: &[String]) -> Self {
        let mut depends_on = needs.to_vec();
        depends_on.sort();
        depends_on.dedup();
        Self {
            reference: reference.to_owned(),
            depends_on,
        }
    }
}

/// Returns the CycloneDX fields of a component. A scope of npm is its group.
fn describe(component: &Component) -> Value {
    let (group, name) = match component.name.split_once('/') {
        Some((scope, name)) => (Some(scope), name),
        None => (None, component.name.as_str()),
    };
    let mut fields = json!({
        "type": "library",
        "bom-ref": component.purl,
        "name": name,
        "version": component.version,
        "scope": "required",
        "licenses": [{ "expression": component.license }],
        "purl": component.purl,
    });
    if let Some(group) = group {
        fields["group"] = json!(group);
    }
    if !component.authors.is_empty() {
        let authors = component.authors.iter();
        fields["authors"] = authors.map(|name| json!({ "name": name })).collect();
    }
    if let Some(hash) = &component.hash {
        fields["hashes"] = json!([{ "alg": hash.algorithm, "content": hash.hex }]);
    }
    fields
}
