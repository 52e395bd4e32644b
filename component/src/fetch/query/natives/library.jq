# What the definitions of jq's libraries are replaced by or lack. A definition calls those before it.
def match(re; flags): matched_(re; flags)[];
def scan(re; flags): scanned_(re; "g" + flags)[];
def capture(re; flags): captured_(re; flags)[];
def recurse: ..;
def scan(re): scan(re; "");
def leaf_paths: paths(scalars);
def join($s): join_($s);
def in(xs): . as $x | xs | has($x);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): reduce (stream as $row | [($row | f | tostring), $row]) as $x ({}; .[$x[0]] = $x[1]);
def INDEX(f): INDEX(.[]; f);
def ascii: [.] | implode;
def todate: if isarray then strftime("%Y-%m-%dT%H:%M:%SZ") else todateiso8601 end;
def isnormal: isnumber and ((isnan or isinfinite or (. < 2.2250738585072014e-308 and . > -2.2250738585072014e-308)) | not);
def normals: select(isnormal);
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def toarray: if isarray then . else [.] end;
def isvalid(f): try (f | true) catch false;
def have_literal_numbers: true;
def ltrimstr($x): if isstring and ($x | isstring) and startswith($x) then .[$x | length:] else . end;
def rtrimstr($x): if isstring and ($x | isstring) and endswith($x) then .[:length - ($x | length)] else . end;
def trimstr($x): ltrimstr($x) | rtrimstr($x);
def tostream: path(def r: (.[]? | r), .; r) as $path | getpath($path)
  | reduce path(.[]?) as $inner ([$path, .]; [$path + $inner]);
def fromstream(f): {x: null, e: false} as $start | foreach f as $i ($start;
  if .e then $start else . end
  | if $i | length == 2 then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
    else setpath(["e"]; $i[0] | length == 1) end;
  if .e then .x else empty end);
def del(f): [path(f)] as $paths | delpaths($paths);
def tonumber: if isstring and trim == "" then error("cannot parse as number")
  elif isstring and (startswith("+") or startswith(".") or startswith("-.") or endswith(".")) and test("^([+]|-)?([0-9]+[.]?[0-9]*|[.][0-9]+)$")
  then ltrimstr("+") | rtrimstr(".") | sub("^(?<s>-?)[.]"; "\(.s)0.") | totype(isnumber; error("cannot parse as number"))
  else totype(isnumber; error("cannot parse as number")) end;
def pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));
def modify_(paths; f): reduce path(paths) as $path ([., []]; . as [$whole, $gone]
  | [limit(1; $whole | getpath($path) | f)] as $new
  | if $new == [] then [$whole, $gone + [$path]] else [($whole | setpath($path; $new[0])), $gone] end)
  | .[1] as $gone | .[0] | delpaths($gone);
def @csv: csv_;
def @tsv: tsv_;
