//! Mounts, where that is allowed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Something that is mounted; it goes with this.
pub struct Mounted {
    at: PathBuf,
}

impl Mounted {
    /// A small disk of its own; `None` where mounting is not allowed.
    pub fn disk(at: &Path) -> Option<Mounted> {
        let options = ["-t", "tmpfs", "-o", "size=8m", "tmpfs"];
        Mounted::mount(options.map(OsStr::new), at)
    }

    /// A folder or file that shows another one; `None` where mounting is not allowed.
    pub fn view(of: &Path, at: &Path) -> Option<Mounted> {
        Mounted::mount([OsStr::new("--bind"), of.as_os_str()], at)
    }

    /// From here on nothing can be written there.
    pub fn make_read_only(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,bind,ro"]).arg(&self.at);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        assert!(mounted, "{} is mounted again", self.at.display());
    }

    fn mount<const N: usize>(options: [&OsStr; N], at: &Path) -> Option<Mounted> {
        let mut mount = Command::new("mount");
        mount.args(options).arg(at);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        if !mounted {
            println!("skipped: nothing can be mounted here");
        }
        mounted.then(|| Mounted { at: at.to_owned() })
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(&self.at).status();
        assert!(
            unmounted.is_ok_and(|status| status.success()),
            "{} is unmounted",
            self.at.display()
        );
    }
}
