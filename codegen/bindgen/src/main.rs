//! `gg-bindgen LANGUAGE WIT_FOLDER WORLD OUTPUT_FOLDER`: the canonical ABI layer of one language, as text.
//!
//! The text is committed, so only `generate` needs this program. A generator may also make files that are no text
//! (an object file that embeds the component type); those are left out: an arm's build embeds the type from the WIT.
use anyhow::{Context, Result, anyhow, bail};
use std::{env, fs, path::Path, process::ExitCode};
use wit_bindgen_core::{Files, WorldGenerator, wit_parser::Resolve};

const USAGE: &str = "usage: gg-bindgen LANGUAGE WIT_FOLDER WORLD OUTPUT_FOLDER";

/// The generator of a language. A further language is one more line here and one more dependency.
fn generator(language: &str) -> Result<Box<dyn WorldGenerator>> {
    match language {
        "c" => Ok(wit_bindgen_c::Opts::default().build()),
        other => bail!("there is no generator for {other:?}; the languages are: c"),
    }
}

/// Whether a file of a generator is text: an object file or a module is not.
fn is_text(name: &str) -> bool {
    ![".o", ".wasm"].iter().any(|ending| name.ends_with(ending))
}

fn write_bindings(language: &str, wit: &Path, world: &str, output: &Path) -> Result<()> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve
        .push_path(wit)
        .with_context(|| format!("cannot read WIT from {}", wit.display()))?;
    let world = resolve
        .select_world(&[package], Some(world))
        .with_context(|| format!("cannot find world {world}"))?;
    let mut files = Files::default();
    generator(language)?
        .generate(&mut resolve, world, &mut files)
        .map_err(|error| anyhow!(error))
        .context("the generator cannot express this world")?;
    fs::create_dir_all(output).with_context(|| format!("cannot make {}", output.display()))?;
    for (name, text) in files.iter().filter(|(name, _)| is_text(name)) {
        let path = output.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [language, wit, world, output] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match write_bindings(language, Path::new(wit), world, Path::new(output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gg-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
