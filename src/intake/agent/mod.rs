//! What coding agents send: their payloads and the patches in them.

pub mod apply_patch;
