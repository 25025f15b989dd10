//! A change of a file, taken apart: what of it belongs to the tests, what steers them, what names
//! dependencies, and what is nobody's change. Pure: bytes in, data out.
//!
//! | module | holds |
//! | --- | --- |
//! | `manifest` | manifests and makefiles, read by their format |
//! | `mixed` | the tests in a source file, and one part put together with another |
//! | `snapshot` | the entries of snapshot files |
//! | `by_content` | the class of a file whose name does not tell |
//! | `layout` | whether two texts differ in layout and comments alone |
//! | `summary` | all of this for one changed file |

pub mod by_content;
pub mod content;
pub mod layout;
pub mod manifest;
pub mod mixed;
pub mod snapshot;
pub mod summary;

pub use by_content::class_by_content;
pub use summary::{PartChange, SourceKind};
