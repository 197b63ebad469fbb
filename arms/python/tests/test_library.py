# ruff: noqa: E501 -- a case of a table is one line, a program in it too
"""What programs can import, each by one use, and what they cannot, each with a reason."""

from __future__ import annotations

import sys
import tomllib
from typing import Any

import pytest
from gg_arm_kit import source

LEFT_OUT = source.arm("python") / "guest" / "gg_guest" / "left_out.toml"

USES: dict[str, tuple[str, str]] = {
    "abc": ("abc.ABC.__name__", "ABC"),
    "argparse": ("argparse.ArgumentParser(prog='p').parse_args([])", "Namespace()"),
    "array": ("array.array('i', [1, 2]).tolist()", "[1, 2]"),
    "ast": ("ast.literal_eval('[1, 2]')", "[1, 2]"),
    "base64": ("base64.b64encode(b'gg')", "b'Z2c='"),
    "binascii": ("binascii.hexlify(b'gg')", "b'6767'"),
    "bisect": ("bisect.bisect([1, 3], 2)", "1"),
    "calendar": ("calendar.isleap(2024)", "True"),
    "cmath": ("cmath.sqrt(-1)", "1j"),
    "code": ("code.compile_command('1').co_name", "<module>"),
    "codecs": ("codecs.encode('gg', 'rot13')", "tt"),
    "collections": ("collections.Counter('aab').most_common(1)", "[('a', 2)]"),
    "colorsys": ("colorsys.rgb_to_hsv(0, 0, 1)[2]", "1"),
    "compression.zlib": ("compression.zlib.decompress(compression.zlib.compress(b'a'))", "b'a'"),
    "concurrent.futures": ("concurrent.futures.Future().done()", "False"),
    "configparser": ("configparser.ConfigParser().sections()", "[]"),
    "contextlib": ("contextlib.nullcontext(3).enter_result", "3"),
    "contextvars": ("contextvars.ContextVar('v', default=1).get()", "1"),
    "copy": ("copy.deepcopy([[1]])", "[[1]]"),
    "csv": ("next(csv.reader(['a,\"b,c\"']))", "['a', 'b,c']"),
    "dataclasses": ("dataclasses.make_dataclass('P', ['x'])(1).x", "1"),
    "datetime": ("datetime.date(2024, 2, 29) + datetime.timedelta(1)", "2024-03-01"),
    "decimal": ("decimal.Decimal('0.1') + decimal.Decimal('0.2')", "0.3"),
    "difflib": ("difflib.get_close_matches('aple', ['apple'])", "['apple']"),
    "dis": ("dis.opname[0]", "CACHE"),
    "doctest": ("doctest.ELLIPSIS", "8"),
    "email.message": ("email.message.EmailMessage().get_content_type()", "text/plain"),
    "email.mime.text": ("email.mime.text.MIMEText('é')['Content-Transfer-Encoding']", "base64"),
    "encodings.idna": ("'é.de'.encode('idna')", "b'xn--9ca.de'"),
    "enum": ("enum.Enum('E', 'A B').B.value", "2"),
    "filecmp": ("filecmp.DEFAULT_IGNORES[0]", "RCS"),
    "fnmatch": ("fnmatch.fnmatch('a.py', '*.py')", "True"),
    "fractions": ("fractions.Fraction(1, 3) + 1", "4/3"),
    "functools": ("functools.reduce(lambda a, b: a * b, [2, 3])", "6"),
    "gc": ("gc.isenabled()", "True"),
    "getopt": ("getopt.getopt(['-a'], 'a')", "([('-a', '')], [])"),
    "gettext": ("gettext.gettext('a')", "a"),
    "glob": ("glob.glob('*')", "[]"),
    "graphlib": ("list(graphlib.TopologicalSorter({1: [2]}).static_order())", "[2, 1]"),
    "gzip": ("gzip.decompress(gzip.compress(b'a'))", "b'a'"),
    "hashlib": ("[hashlib.new(n, b'').hexdigest()[:4] for n in ('md5', 'sha1', 'sha256', 'sha3_256', 'blake2b')]", "['d41d', 'da39', 'e3b0', 'a7ff', '786a']"),
    "heapq": ("heapq.nsmallest(1, [3, 1])", "[1]"),
    "hmac": ("hmac.new(b'k', b'm', 'sha256').hexdigest()[:4]", "b600"),
    "html": ("html.escape('<')", "&lt;"),
    "html.parser": ("html.parser.HTMLParser().rawdata", ""),
    "http": ("http.HTTPStatus.NOT_FOUND.phrase", "Not Found"),
    "imaplib": ("imaplib.IMAP4_PORT", "143"),
    "inspect": ("inspect.signature(lambda a, *, b=1: 0)", "(a, *, b=1)"),
    "io": ("io.StringIO('a').read()", "a"),
    "ipaddress": ("ipaddress.ip_network('10.0.0.0/30').num_addresses", "4"),
    "itertools": ("list(itertools.batched('abc', 2))", "[('a', 'b'), ('c',)]"),
    "json": ("json.dumps({'é': [1, None]})", '{"\\u00e9": [1, null]}'),
    "keyword": ("keyword.iskeyword('if')", "True"),
    "linecache": ("linecache.getline('program.py', 1).strip()", "import linecache"),
    "locale": ("locale.localeconv()['decimal_point']", "."),
    "logging": ("logging.getLogger('a').name", "a"),
    "math": ("math.isqrt(17)", "4"),
    "mimetypes": ("mimetypes.guess_type('a.png')[0]", "image/png"),
    "numbers": ("isinstance(1, numbers.Integral)", "True"),
    "operator": ("operator.itemgetter(1)('ab')", "b"),
    "pathlib": ("pathlib.PurePosixPath('a/b.txt').stem", "b"),
    "pickle": ("pickle.loads(pickle.dumps({1: 'a'}))", "{1: 'a'}"),
    "pkgutil": ("list(pkgutil.iter_modules())", "[]"),
    "platform": ("platform.python_version()[:5]", "3.14."),
    "plistlib": ("plistlib.loads(plistlib.dumps({'a': 1}))", "{'a': 1}"),
    "posixpath": ("posixpath.join('a', 'b')", "a/b"),
    "pprint": ("pprint.pformat({'b': 1, 'a': 2})", "{'a': 2, 'b': 1}"),
    "pstats": ("pstats.SortKey.TIME.value", "time"),
    "queue": ("queue.SimpleQueue().empty()", "True"),
    "quopri": ("quopri.encodestring(b'=')", "b'=3D'"),
    "random": ("random.Random(1).randint(1, 6)", "2"),
    "re": ("re.sub(r'(?P<a>\\w+)', r'<\\g<a>>', 'x y')", "<x> <y>"),
    "reprlib": ("reprlib.repr('a' * 100)", "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"),
    "sched": ("sched.scheduler().empty()", "True"),
    "secrets": ("len(secrets.token_hex(4))", "8"),
    "shelve": ("shelve.Shelf({}).writeback", "False"),
    "shlex": ("shlex.split('a \"b c\"')", "['a', 'b c']"),
    "shutil": ("shutil.get_terminal_size().columns", "80"),
    "signal": ("signal.SIGINT.name", "SIGINT"),
    "statistics": ("statistics.median([3, 1, 2])", "2"),
    "string": ("string.Template('$a').substitute(a=1)", "1"),
    "string.templatelib": ("string.templatelib.Template('a').strings", "('a',)"),
    "stringprep": ("stringprep.in_table_a1('\\u0221')", "True"),
    "struct": ("struct.pack('<H', 1)", "b'\\x01\\x00'"),
    "symtable": ("symtable.symtable('a = 1', 'x', 'exec').get_name()", "top"),
    "sysconfig": ("sysconfig.get_python_version()", "3.14"),
    "tarfile": ("tarfile.BLOCKSIZE", "512"),
    "textwrap": ("textwrap.dedent('  a')", "a"),
    "time": ("time.strftime('%Y', time.gmtime(0)), time.strptime('2024', '%Y').tm_year", "1970 2024"),
    "timeit": ("timeit.timeit('1', number=1) >= 0", "True"),
    "tokenize": ("tokenize.tok_name[1]", "NAME"),
    "tomllib": ("tomllib.loads('a = 1')", "{'a': 1}"),
    "tomli_w": ("tomli_w.dumps({'a': [1, 2]})", "a = [\n    1,\n    2,\n]\n"),
    "traceback": ("traceback.format_exception_only(ValueError('a'))", "['ValueError: a\\n']"),
    "types": ("types.SimpleNamespace(a=1).a", "1"),
    "typing": ("typing.get_type_hints(typing.NamedTuple('N', [('a', int)]))", "{'a': <class 'int'>}"),
    "unicodedata": ("unicodedata.name('é')", "LATIN SMALL LETTER E WITH ACUTE"),
    "unittest": ("unittest.TestCase().assertEqual(1, 1)", "None"),
    "unittest.mock": ("unittest.mock.Mock(return_value=3)()", "3"),
    "urllib.parse": ("urllib.parse.urlsplit('http://a/b?c').query", "c"),
    "uuid": ("uuid.uuid5(uuid.NAMESPACE_URL, 'a').version", "5"),
    "warnings": ("warnings.filters is not None", "True"),
    "wave": ("wave.Error.__name__", "Error"),
    "weakref": ("len(weakref.WeakSet())", "0"),
    "xml.dom.minidom": ("xml.dom.minidom.parseString('<a/>').toxml()", '<?xml version="1.0" ?><a/>'),
    "xml.etree.ElementTree": ("xml.etree.ElementTree.fromstring('<a b=\"1\"/>').attrib", "{'b': '1'}"),
    "yaml": ("yaml.safe_load(yaml.safe_dump({'a': [1, None, 'é']}))", "{'a': [1, None, 'é']}"),
    "zipfile": ("zipfile.is_zipfile(__import__('io').BytesIO(b''))", "False"),
    "zlib": ("zlib.crc32(b'a')", "3904355907"),
    "zoneinfo": ("zoneinfo.ZoneInfo.__name__", "ZoneInfo"),
}  # fmt: skip
"""Module to an expression that uses it, and what printing the result shows."""


@pytest.mark.parametrize("module", USES)
def test_a_module_works(run: Any, module: str) -> None:
    expression, shown = USES[module]
    report = run(f"import {module}\nprint({expression})\n")
    assert report.outcome.value == "progressed", report.text
    assert "\n".join(report.logs).rstrip() == shown.rstrip()


def test_every_standard_module_is_there_or_left_out_with_a_reason(run: Any) -> None:
    """The interpreter's own list of its library, against what can be imported and what is listed."""
    listed = tomllib.loads(LEFT_OUT.read_text(encoding="utf-8"))
    reasons = {name: reason for group in listed.values() for name, reason in group.items()}
    assert all(reason.strip() for reason in reasons.values())
    program = """
import importlib, sys
for name in sorted(sys.stdlib_module_names):
    try:
        importlib.import_module(name)
    except ImportError:
        print(name)
"""
    report = run(program, seconds=60)
    assert report.outcome.value == "progressed", report.text
    absent = set(report.logs)
    unlisted = {name for name in absent - set(reasons) if name in PURE}
    assert not unlisted, unlisted


PURE = frozenset(name for name in sys.stdlib_module_names if not name.startswith("_")) - {
    "fcntl", "grp", "mmap", "msvcrt", "nt", "pwd", "readline", "resource", "syslog", "termios", "winreg", "winsound",
    "spwd", "nis", "ossaudiodev", "crypt", "audioop", "lib2to3", "imp", "asynchat", "asyncore", "smtpd", "distutils", "cgi",
    "cgitb", "chunk", "imghdr", "mailcap", "nntplib", "pipes", "sndhdr", "sunau", "telnetlib", "uu", "xdrlib", "aifc",
}  # fmt: skip
"""Modules written in Python; those taken away are C extensions of other systems, or gone from the language."""


def test_importing_everything_leaves_the_interpreter_as_it_was(run: Any) -> None:
    program = "import asyncio, logging, warnings, sys, threading\nprint(logging.root.handlers, threading.active_count(), sys.gettrace())\n"
    assert run.logs(program) == ["[] 1 None"]


def test_all_encodings_are_there(run: Any) -> None:
    program = "for name in ('latin-1', 'cp1252', 'utf-16', 'utf-32-le', 'shift_jis', 'gb18030', 'koi8-r', 'punycode', 'unicode_escape', 'hex'):\n    print(name, len('a'.encode(name)) if name != 'hex' else __import__('codecs').encode(b'a', 'hex'))\n"
    assert len(run.logs(program)) == 10
