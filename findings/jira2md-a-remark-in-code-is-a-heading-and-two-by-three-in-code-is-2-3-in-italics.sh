#!/usr/bin/env bash
# jira2md 3.0.1 (npm), texts from Markdown to the notation of Jira and back.
# Behaviour: a block of code is not left alone. On the way to Jira a remark "# check" in it becomes a heading "h1. check", and 2*3*4, even in backticks, becomes 2_3_4. On the way
# from Jira a remark in {code} becomes the item "1. check" of a list, x_y_z becomes x*y*z and *args* gets two stars more. Nothing is said of it, and the code still looks like code.
# Seen:   "# check" -> "h1. check" and, from Jira, "1. check" / `2*3*4` -> {{2_3_4}} / x_y_z in {code} -> x*y*z
# Expected by most: code comes over as it is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts jira2md@3.0.1 marked@16.4.1 2> /dev/null
cat > run.cjs <<'JS'
const { to_jira, to_markdown, md_to_html } = require('jira2md');
const { marked } = require('marked');
const code = ['# check', 'area = 2*3*4', 'x_y_z = f(*args, **more)', '- x', '[a](b)'];
const show = (name, text) => console.log(`${name}\n${text.trim().replace(/^/gm, '    ')}`);
const markdown = `\`\`\`python\n${code.join('\n')}\n\`\`\`\n\nIt gives \`2*3*4\` and \`a_b_c\`.\n`;
show('Markdown to Jira', to_jira(markdown));
show('the same by marked, to HTML', marked(markdown));
const jira = '{code:python}\n# check\n* x\narea = x_y_z\nprint(*args*)\n{code}\n{noformat}\n# check\n-gone-\n{noformat}\n';
show('Jira to Markdown', to_markdown(jira));
JS
echo "jira2md $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jira2md/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
Markdown to Jira
    {code:python}
    h1. check
    area = 2_3_4
    x_y_z = f(_args, _*more)
    - x
    [a|b]
    {code}
    
    It gives {{2_3_4}} and {{a_b_c}}.
the same by marked, to HTML
    <pre><code class="language-python"># check
    area = 2*3*4
    x_y_z = f(*args, **more)
    - x
    [a](b)
    </code></pre>
    <p>It gives <code>2*3*4</code> and <code>a_b_c</code>.</p>
Jira to Markdown
    ```python
    1. check
    * x
    area = x*y*z
    print(**args**)
    ```
    ```
    1. check
    ~~gone~~
    ```
END
