#!/usr/bin/env python3
"""Checks that README and docs name only what exists: files of the project, links between pages, commands and their options; and that
models which stand in them, in blocks marked omola, el or modelica, can be simulated.
`docs.py [--program P]`."""
import argparse
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ('src/', 'apps/', 'tests/', 'docs/', 'examples/', 'libraries/', 'scripts/', 'benchmarks/', 'include/')


def exists(name):
    """Whether a path of the project exists; `*` and `{a,b}` stand for what the shell makes of them."""
    name = name.rstrip('.,;:)')
    braces = re.match(r'(.*)\{([^}]*)\}(.*)', name)
    if braces:
        return all(exists(braces[1] + part + braces[3]) for part in braces[2].split(','))
    if '*' in name:
        return any(ROOT.glob(name))
    return (ROOT / name).exists()


@functools.lru_cache(None)
def help_text(program, command):
    done = subprocess.run([program, command, '--help'], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def model_problems(text, program):
    """What is wrong with the models that stand in the page."""
    endings = {'omola': 'om', 'el': 'el', 'modelica': 'mo'}
    for language, model in re.findall(r'^```(omola|el|modelica)\n(.*?)^```', text, re.M | re.S):
        with tempfile.TemporaryDirectory(prefix='cutset-docs-') as folder:
            file = pathlib.Path(folder) / f'example.{endings[language]}'
            file.write_text(model)
            done = subprocess.run([program, 'simulate', str(file), '--stop', '1', '--quiet', '-o', 'out.csv'], cwd=folder,
                                  capture_output=True, text=True)
            if done.returncode:
                yield f'has a model that does not run:\n{model}{done.stderr}'


def problems(page, program):
    text = page.read_text()
    if program:
        yield from model_problems(text, program)
    for link in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)', re.sub(r'```.*?```|`[^`\n]*`', '', text, flags=re.S)):
        if not (page.parent / link).exists():
            yield f'links to {link}'
    # What is written for the reader to fill in (NAME, FOLDER, …) is no path.
    for name in re.findall(r'`([^`\n]+)`', text):
        for word in name.split():
            if word.startswith(FOLDERS) and not re.search('[A-Z]{3,}|<|…', word.replace('README', '').replace('CMakeLists', '')):
                if not exists(word):
                    yield f'names {word}'
    if program:
        for command, rest in re.findall(r'(?:\./|^|`)cutset ([a-z]+)([^`\n#]*)', text, re.M):
            known = help_text(program, command)
            if known is None:
                continue
            for option in re.findall(r'(?<![\w"])--[a-z][a-z-]*', rest):
                if option not in known and option != '--help':
                    yield f'says cutset {command} {option}'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program')
    arguments = parser.parse_args()
    if arguments.program:
        arguments.program = str(pathlib.Path(arguments.program).resolve())
    pages = [ROOT / 'README.md', *sorted(ROOT.glob('*.md')), *sorted(ROOT.glob('docs/**/*.md')),
             ROOT / 'benchmarks/README.md']
    found = [f'{page.relative_to(ROOT)} {problem}' + ('' if 'does not run' in problem else ', which is not there') for page in dict.fromkeys(pages)
             for problem in problems(page, arguments.program)]
    print('\n'.join(found), end='\n' if found else '')
    print(f'{len(set(pages))} pages: {len(found)} problems')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
