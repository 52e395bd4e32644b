#!/usr/bin/env bash
# untex 1.2-7, of Debian 12 as 1:1.2-7; pylatexenc 2.10 (PyPI), given the same text.
# Behaviour: a percent sign in \verb or in a verbatim block, where LaTeX prints it, is taken for a comment: the rest of the line is gone, and with it its end,
# so the next line sticks to what is left. A half is "1  2", and a power with a minus sign is "10^ -6". The names of environments, labels, sizes and addresses
# are in the text as words. A thousands space in a number is dropped, and accents are gone with -a only.
# Seen:   x = 5 verbatim / Mix 1  2 litre
# Expected by most: x = 5 % 3 and print("%d"), as LaTeX shows them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq untex=1:1.2-7 > /dev/null 2>&1; dpkg-deb -x untex_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
cat > a.tex <<'TEX'
\begin{document}
Call \verb|load %s all| before you delete.
Mix $\frac{1}{2}$ litre with $10^{-6}$ g, not more than 10\,000.
\begin{verbatim}
x = 5 % 3
y = 7 % 4
\end{verbatim}
\begin{minipage}{5cm} Take \$20 \& 5\%. \end{minipage}
\end{document}
TEX
echo "untex $(dpkg-deb -f untex_*.deb Version)"
(untex a.tex | sed 's/ *$//' | grep .; echo '-e:'; untex -e a.tex | sed 's/ *$//' | grep .) | tee out
diff out - <<'END'
document
Call  |load Mix   1  2  litre with 10^ -6  g, not more than 10 000.
verbatim
x = 5 y = 7 verbatim
minipage   5cm  Take $20 & 5%. minipage
document
-e:
Call  |load Mix   1  2  litre with 10^ -6  g, not more than 10 000.
x = 5 y = 7
   Take $20 & 5%.
END
