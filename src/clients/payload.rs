//! Typed access to the JSON a client sends.

use std::cell::Cell;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Why a payload can't be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadPayload {
    /// Not JSON at all.
    #[error("the client's message is not JSON: {0}")]
    NotJson(String),
    /// JSON, but no object where one is needed.
    #[error("`{0}` is not an object")]
    NotAnObject(String),
    /// A field that is needed is not there.
    #[error("`{0}` is missing")]
    Missing(String),
    /// A field has another type than it should.
    #[error("`{field}` is not {wanted}")]
    WrongType {
        /// The field.
        field: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// A field that must say something is empty.
    #[error("`{0}` is empty")]
    Empty(String),
    /// Two spellings of one field disagree, so that it can't be known which the tool obeys.
    #[error("`{0}` and `{1}` disagree")]
    Ambiguous(String, String),
    /// A field is there twice, so that it can't be known which one the tool obeys.
    #[error("`{0}` is there twice")]
    Twice(String),
}

/// The whole message.
pub(super) fn read(bytes: &[u8]) -> Result<Map<String, Value>, BadPayload> {
    // Some clients put a byte order mark before the message.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let twice = Cell::default();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = OneOfEach(&twice).deserialize(&mut json);
    let value = value.and_then(|value| json.end().map(|()| value));
    let value = value.map_err(|error| match twice.take() {
        Some(name) => BadPayload::Twice(name),
        None => BadPayload::NotJson(error.to_string()),
    })?;
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Err(BadPayload::NotAnObject("the client's message".into())),
    }
}

/// Reads JSON in which no object has a field twice, and says which one it was.
#[derive(Clone, Copy)]
struct OneOfEach<'a>(&'a Cell<Option<String>>);

impl<'de> DeserializeSeed<'de> for OneOfEach<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for OneOfEach<'_> {
    type Value = Value;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            let value = object.next_value_seed(self)?;
            if fields.contains_key(&name) {
                self.0.set(Some(name));
                return Err(A::Error::custom("a field is there twice"));
            }
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

/// The fields of an object. A `null` counts as absent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(super) fn value(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn has(self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub(super) fn text(self, name: &str) -> Result<Option<&'a str>, BadPayload> {
        let wrong = || wrong_type(name, "a string");
        self.value(name)
            .map(|value| value.as_str().ok_or_else(wrong))
            .transpose()
    }

    /// A string that says something.
    pub(super) fn filled(self, name: &str) -> Result<Option<&'a str>, BadPayload> {
        Ok(self.text(name)?.filter(|text| !text.is_empty()))
    }

    pub(super) fn needed_text(self, name: &str) -> Result<&'a str, BadPayload> {
        match self.text(name)? {
            None => Err(BadPayload::Missing(name.into())),
            Some("") => Err(BadPayload::Empty(name.into())),
            Some(text) => Ok(text),
        }
    }

    pub(super) fn flag(self, name: &str) -> Result<bool, BadPayload> {
        let wrong = || wrong_type(name, "true or false");
        self.value(name)
            .map_or(Ok(false), |value| value.as_bool().ok_or_else(wrong))
    }

    pub(super) fn object(self, name: &str) -> Result<Option<Fields<'a>>, BadPayload> {
        self.value(name)
            .map(|value| object(value, name))
            .transpose()
    }

    pub(super) fn needed_object(self, name: &str) -> Result<Fields<'a>, BadPayload> {
        self.object(name)?
            .ok_or_else(|| BadPayload::Missing(name.into()))
    }

    /// The one string among several spellings of a field.
    pub(super) fn any_text(self, names: &[&str]) -> Result<Option<&'a str>, BadPayload> {
        let mut found: Option<(&str, &'a str)> = None;
        for name in names {
            let Some(text) = self.text(name)? else {
                continue;
            };
            match found {
                Some((other, known)) if known != text => {
                    return Err(BadPayload::Ambiguous(other.into(), (*name).into()));
                }
                Some(_) => {}
                None => found = Some((name, text)),
            }
        }
        Ok(found.map(|(_, text)| text))
    }

    pub(super) fn needed_any_text(self, names: &[&str]) -> Result<&'a str, BadPayload> {
        self.any_text(names)?.ok_or_else(|| {
            BadPayload::Missing(names.first().copied().unwrap_or_default().to_string())
        })
    }
}

pub(super) fn object<'a>(value: &'a Value, name: &str) -> Result<Fields<'a>, BadPayload> {
    match value {
        Value::Object(fields) => Ok(Fields(fields)),
        _ => Err(BadPayload::NotAnObject(name.into())),
    }
}

pub(super) fn wrong_type(field: &str, wanted: &'static str) -> BadPayload {
    BadPayload::WrongType {
        field: field.into(),
        wanted,
    }
}
