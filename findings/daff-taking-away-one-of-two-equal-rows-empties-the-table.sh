#!/usr/bin/env bash
# daff 1.4.2 (PyPI), diff and patch of tables in CSV files, by its own command, default settings.
# Behaviour: a diff that takes one of two equal rows away is right to look at, but daff patch makes something else of it: all cells of the table become NULL, or the rows that are taken away stay and others are gone.
# The exit code is 0. A row that is added beside an equal one, and a row that is taken away and has no equal, come out right.
# Seen:   1,x / 1,x / 2,y without one 1,x: three lines of NULL,NULL / 2,y twice, without one and 3,z changed: 3 is NULL and 4,w is gone
# Expected by most: the second file.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check daff==1.4.2
env/bin/python -c "import importlib.metadata as m; print('daff', m.version('daff'))" > out
try() {
  printf 'id,v\n%b' "$2" > old.csv; printf 'id,v\n%b' "$3" > new.csv
  env/bin/daff diff --output patch.csv old.csv new.csv
  env/bin/daff patch --output made.csv old.csv patch.csv
  { echo "$1:"; echo "  diff: $(tr '\n' ' ' < patch.csv)"; echo "  made: $(tr '\n' ' ' < made.csv)"; echo "  new:  $(tr '\n' ' ' < new.csv)"; } >> out
}
try 'one of two equal rows away' '1,x\n1,x\n2,y\n' '1,x\n2,y\n'
try 'and another row changed' '1,x\n2,y\n2,y\n3,z\n4,w\n' '1,x\n2,y\n3,q\n4,w\n'
try 'an equal row more' '1,x\n2,y\n' '1,x\n1,x\n2,y\n'
try 'a row without an equal away' '1,x\n2,y\n3,z\n' '1,x\n3,z\n'
cat out
diff out - <<'END'
daff 1.4.2
one of two equal rows away:
  diff: @@,id,v ,1,x ---,1,x ,2,y 
  made: NULL,NULL NULL,NULL NULL,NULL 
  new:  id,v 1,x 2,y 
and another row changed:
  diff: @@,id,v ...,...,... ,2,y ---,2,y ->,3,z->q ,4,w 
  made: id,v 1,x 2,y 2,y NULL,q 
  new:  id,v 1,x 2,y 3,q 4,w 
an equal row more:
  diff: @@,id,v ,1,x +++,1,x ,2,y 
  made: id,v 1,x 1,x 2,y 
  new:  id,v 1,x 1,x 2,y 
a row without an equal away:
  diff: @@,id,v ,1,x ---,2,y ,3,z 
  made: id,v 1,x 3,z 
  new:  id,v 1,x 3,z 
END
