//! What natives take and give: strings, numbers, lists.

use jaq_core::box_iter::box_once;
use jaq_core::{Cv, Error, ValXs};
use jaq_json::{Num, Val};
use jaq_std::ValT as _;

use crate::fetch::query::kit::Kit;
use crate::fetch::query::value;

pub(super) fn text(value: &Val) -> Result<&str, Error<Val>> {
    match value {
        Val::TStr(bytes) => std::str::from_utf8(bytes).map_err(Error::str),
        _ => Err(Error::typ(value.clone(), "string")),
    }
}

pub(super) fn float(value: &Val) -> Result<f64, Error<Val>> {
    value.as_f64().ok_or_else(|| Error::typ(value.clone(), "number"))
}

#[inline(never)]
pub(super) fn string(text: String) -> Val {
    Val::from(text)
}

/// A number: whole where it is.
pub(super) fn number(value: f64) -> Val {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Val::Num(Num::from_integral(value as i64))
    } else {
        Val::from(value)
    }
}

pub(super) fn items(value: Val) -> Result<Vec<Val>, Error<Val>> {
    value.into_seq().map_err(|value| Error::typ(value, "array"))
}

/// A value as JSON text.
pub(super) fn json<'a>(cv: Cv<'a, Kit>) -> ValXs<'a, Val> {
    let mut text = String::new();
    value::write(&cv.1, usize::MAX, &mut text);
    box_once(Ok(string(text)))
}
