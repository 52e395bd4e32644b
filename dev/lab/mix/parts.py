"""What dev/lab/mix.py makes its catalogue and its requests of, written by hand. The requests were written before the ranking
was looked at: what a user says shares no telling word with the text that is meant, but for names of things and products."""

# What a skill is about: in its own words, and in a user's where it is asked for.
SUBJECTS = [line.split(" | ") for line in """
payroll-run | monthly payroll runs | paying everyone's wages
employee-onboarding | onboarding of new employees | somebody's first weeks at the company
performance-appraisal | annual performance appraisals | the yearly talk about how staff are doing
job-advert | job advertisements | posting an open position
candidate-interview | structured candidate interviews | meeting applicants
shift-roster | shift rosters | who works when
expense-claim | travel expense claims | getting hotel bills reimbursed
vat-return | VAT returns | reporting sales tax
balance-sheet | balance sheets | what the firm owns and owes
cash-forecast | cash flow forecasts | whether money runs out next quarter
supplier-contract | supplier contracts | the deal with our vendor
purchase-order | purchase orders | ordering goods formally
warehouse-count | warehouse stock counts | counting what is on the shelves
customs-declaration | customs declarations | papers for shipping across the border
delivery-route | delivery routes | the order in which the vans go round
product-recall | product recalls | taking dangerous goods back from shops
price-list | price lists | what we charge
sales-call | discovery sales calls | first phone talk with a prospect
tender-response | responses to public tenders | bidding for a city's project
churn-analysis | customer churn analyses | why subscribers leave
newsletter | email newsletters | mailing all our readers
press-release | press releases | news for journalists
landing-page | landing page copy | words on the page visitors see first
brand-voice | brand voice guidelines | how our company sounds in writing
podcast-episode | podcast episodes | a show people listen to
trade-fair | trade fair stands | our booth at the exhibition
survey-design | questionnaire design | asking people for opinions
focus-group | focus group moderation | a round of users talking about the product
usability-test | usability tests | watching people struggle with the site
accessibility-check | web accessibility conformance | blind people using our pages
wireframe | screen wireframes | rough sketches of an app
design-tokens | design token systems | shared colours and spacings
icon-set | icon sets | little pictures for buttons
color-palette | colour palettes | which shades go together
typography | typographic scales | fonts and their sizes
sql-tuning | slow SQL statements | a database that takes ages to answer
schema-evolution | relational schema changes | adding a column without downtime
backup-drill | restore drills for backups | getting lost data back
index-design | database index design
etl-pipeline | batch ETL pipelines | copying data every night
stream-processing | event stream processing
data-catalog | data catalogues | knowing which tables we have
feature-store | machine learning feature stores
model-evaluation | classifier evaluation | how good the predictions are
prompt-engineering | language model prompting | talking to a chatbot so that it obeys
annotation-guideline | labelling guidelines for annotators
time-series | time series forecasting | guessing next month's demand
ab-experiment | controlled A/B experiments | trying two variants on visitors
dashboard-kpi | KPI dashboards | a screen with the important numbers
api-versioning | public API versioning | changing our interface without breaking clients
rest-endpoint | REST endpoint design
graphql-schema | GraphQL schema design
webhook-delivery | webhook delivery | telling other systems when something happens
rate-limiting | request rate limiting | callers that hammer us
oauth-flow | OAuth authorization flows | letting people sign in with google
secret-rotation | credential rotation | replacing leaked passwords
threat-model | threat modelling | how an attacker would get in
incident-response | security incident response | we were hacked
penetration-report | penetration test reports
dependency-update | third-party dependency updates | libraries that are out of date
license-compliance | open source licence compliance | may we use this code
monorepo | monorepo build layouts
release-notes | release notes | telling users what is new
changelog | changelog upkeep
code-style | coding style rules
pull-request | pull request descriptions | text for my change so that colleagues understand it
flaky-test | flaky automated tests | a check that fails every other day
load-test | load testing | will it survive ten thousand visitors
mutation-testing | mutation testing
regex-pattern | regular expression authoring | finding text by a weird pattern
shell-script | POSIX shell scripts | a little program for the terminal
terraform-module | Terraform modules | servers described as code
kubernetes-manifest | Kubernetes manifests
dockerfile | Dockerfile slimming | container images that are huge
cdn-cache | CDN cache rules | pages that stay old after publishing
dns-cutover | DNS cutovers | pointing the domain somewhere else
tls-certificate | TLS certificate renewals | the browser says not secure
log-retention | log retention schemes
alert-tuning | alert threshold tuning | too many false alarms at night
oncall-handover | on-call handovers | the next person who carries the pager
capacity-plan | capacity planning
cloud-bill | cloud spending breakdowns | amazon invoice exploded
game-loop | game loop timing
shader | fragment shaders
embedded-firmware | embedded firmware images | software on the little chip
pcb-layout | printed circuit board layout | a board for electronics
cad-model | parametric CAD models
print-3d | 3D printing settings | plastic parts that warp
arduino-sensor | microcontroller sensor readings
home-network | home networks | wifi is bad in the bedroom
smart-home | home automation scenes | lights that turn on by themselves
photo-library | family photo libraries | thousands of snapshots of the kids
video-edit | video editing timelines | cutting a holiday film
sound-mix | audio mixing
sheet-music | sheet music engraving | notes for my choir
guitar-practice | guitar practice schedules
novel-outline | novel outlines | the plot of my book
poem-form | fixed-form poetry | a verse for a wedding
screenplay-scene | screenplay scenes
grant-proposal | research grant proposals | asking a foundation for funds
literature-review | systematic literature reviews | what has been published already
lab-protocol | wet lab protocols | steps of a chemistry experiment
statistics-test | hypothesis tests | is the difference real or chance
peer-review | peer review reports
thesis-chapter | dissertation chapters
lecture-slides | university lecture slides | teaching a class at college
lesson-plan | school lesson plans | what to do with pupils on monday
exam-questions | examination questions | quizzing students
spaced-repetition | spaced repetition decks | flash cards so that I remember
language-dialogue | foreign language dialogues
reading-list | reading lists
meal-prep | weekly meal preparation | cooking on sunday for all days
bread-baking | sourdough bread baking | my loaf does not rise
wine-pairing | wine pairing
allergy-diet | elimination diets | food that makes me ill
strength-training | strength training cycles | getting stronger at the gym
marathon | marathon preparation | running forty two kilometres
physio-exercise | physiotherapy exercises | my back hurts
sleep-hygiene | sleep routines | lying awake at night
meditation | guided meditation
baby-schedule | infant care schedules | a newborn's day
elder-care | care for elderly parents | mum cannot live alone any more
pet-training | dog obedience training | puppy bites the shoes
vegetable-garden | vegetable garden beds | growing tomatoes
lawn-care | lawn care calendars
bee-keeping | hive inspections | my bees
house-renovation | house renovation works | a new bathroom
energy-saving | household energy savings | heating costs too much
mortgage | mortgage offers | borrowing to buy a flat
pension-plan | retirement savings plans | money when I am old
tax-declaration | personal income tax declarations | filing with the tax office
insurance-claim | insurance claims | water damage and the insurer
will-testament | last wills | who inherits from me
tenancy | tenancy agreements | renting out my flat
visa-application | visa applications | staying abroad for a year
city-trip | weekend city trips | two days in rome
camping-trip | camping equipment lists | sleeping in a tent
wedding-day | wedding day schedules | getting married in june
birthday-party | children's birthday parties | my daughter turns six
charity-run | charity fundraising events | collecting for a good cause
choir-rehearsal | choir rehearsals
neighbour-dispute | disputes between neighbours | the people next door are loud
public-speech | public speeches | standing in front of a crowd
chess-opening | chess opening repertoires
""".strip().splitlines()]

# What a skill does with it, and how somebody asks for that.
ASPECTS = [line.split(" | ") for line in """
review | Checks {} against a list of common faults and writes up what to mend, the worst first. | is anything wrong here: {}
plan | Breaks {} into stages with dates, owners and risks. | how do I go about {}, what comes when
draft | Produces a first version of {} from a few notes and asks for missing facts. | start me off from scratch with {}
estimate | Works out the effort and expense of {}, as a range with its assumptions. | how much and how long: {}
tutor | Introduces a newcomer to {} with one worked example and three exercises. | never did this before, teach me {}
migrate | Moves existing {} from an older tool to a new one without losing anything. | we switch to another system for {}
troubleshoot | Narrows down why {} fail: symptoms, questions, small experiments. | it keeps going wrong and I do not know why: {}
digest | Condenses {} to one page for readers with little time. | short version for my boss: {}
compare | Weighs alternatives for {} by criteria that the user ranks. | which option is better for {}
routine | Sets up {} as a recurring routine with reminders and controls. | I do not want to do this by hand every time: {}
negotiate | Prepares talks about {}: aims, limits, arguments of the other side. | what do I say when we haggle over {}
audit | Collects evidence that {} follow the rules, rule by rule. | inspectors are coming because of {}
translate | Renders {} in another language with consistent terms. | I need it in spanish: {}
prune | Cuts {} down to the necessary and removes repetition. | far too long and complicated: {}
""".strip().splitlines()]

# Requests for skills that are in the package of tests/skills.py are there.

# What a document is about, in its own words and in a user's.
PLACES = [line.split(" | ") for line in """
rotterdam-depot | Rotterdam depot | the storage site in the netherlands
payroll | Payroll | the wages people
checkout | Checkout service | the place where shoppers pay
mobile-app | Mobile app | our thing for phones
support-desk | Support desk | the helpers for customers
research-lab | Research laboratory | our scientists
van-fleet | Van fleet | delivery vehicles
lisbon-office | Lisbon office | our branch in portugal
data-warehouse | Data warehouse | the big reporting database
loyalty | Loyalty programme | bonus points for regulars
canteen | Staff canteen | lunch at work
security | Security team | the people against hackers
recruiting | Recruiting | those who hire
website | Marketing website | our pages on the web
search-engine | Search engine | the box where visitors look things up
invoicing | Invoicing | sending out bills
legal | Legal department | our lawyers
line-three | Assembly line three | the third production belt
call-centre | Call centre | phone agents
academy | Training academy | courses for staff
partner-portal | Partner portal | the site for resellers
notifications | Notification service | the sender of texts and mails
analytics | Analytics dashboard | the screen with statistics
login | Login service | signing in
image-pipeline | Image pipeline | resizing of pictures
returns | Returns department | goods that come back
pricing | Pricing engine | the program that sets what things cost
wiki | Internal wiki | the knowledge pages
meeting-rooms | Meeting rooms | rooms to sit together
quality-lab | Quality laboratory | product testers
subscriptions | Subscription billing | monthly charges
chatbot | Chat assistant | the robot that answers visitors
booking | Booking system | reservations
street-sensors | Street sensors | traffic counters
greenhouse | Greenhouse | where the plants grow
print-shop | Print shop | paper and brochures
cold-store | Cold store | the big freezer
archive | Museum archive | old exhibits
rental | Bicycle rental | bikes for hire
tower | Broadcast tower | the radio mast
""".strip().splitlines()]

# Kinds of documents: file, name, description, and how somebody asks for it.
DOCUMENTS = [line.split(" | ") for line in """
handbook.md | {} handbook | All that new colleagues of the {} have to know in their first weeks. | the guide for beginners at {}
schema.sql | {} database schema | Tables, columns and keys behind the {}. | the file that shows how records of {} are laid out
postmortem.md | {} outage report | What broke at the {} in March, why, and what was changed. | the text on the crash in spring of {}
contacts.csv | {} contacts | Names, phone numbers and shifts at the {}. | who do I ring at {}, there must be a sheet
rates.csv | {} rates | What the {} charges by region and volume. | the document with how expensive {} is
openapi.yaml | {} API description | Endpoints, parameters and error codes of the {}. | the page on what my program can ask of {}
roadmap.md | {} roadmap | What the {} intends to build in the next four quarters. | the paper with future plans for {}
rooms.svg | {} floor plan | Doors, exits and places of equipment at the {}. | a drawing of where everything is at {}
privacy.pdf | {} privacy notice | Which personal data the {} keeps and for how long. | the statement on what is stored about me by {}
runbook.md | {} runbook | Each alarm of the {} with the measures to take. | the file to open when there is a siren from {}
budget.xlsx | {} budget | Planned and actual spending of the {} by month. | the sheet with money set aside for {}
glossary.md | {} glossary | Terms and abbreviations in use at the {}. | where are the strange words explained that they use at {}
minutes.md | {} minutes | Decisions and open points of the weekly meeting of the {}. | notes on what was agreed when they sat together about {}
""".strip().splitlines()]

# Resources that real servers have, as somebody asks for them.
REAL_RESOURCES = {
    "document on how to sign people up with neon": ["neon__https://github.com/neondatabase-labs/ai-rules/blob/main/neon-auth.mdc"],
    "page on drizzle orm against a neon database": ["neon__https://github.com/neondatabase-labs/ai-rules/blob/main/neon-drizzle.mdc"],
    "the machines our kubernetes runs on, as a document": ["kubernetes-flux159__k8s://nodes"],
    "the resource that says how often I may still ask linear": ["linear__linear://rate-limit"],
    "file with an inventory of everything in coolify": ["coolify__coolify://overview"],
    "which addresses can I read from linear, is there a page": ["linear__linear://resource-guide"],
}

# What a prompt is for, and about what.
PROMPT_FORMS = [line.split(" | ") for line in """
critique | Ask for a frank critique of {} | a ready-made text that makes the assistant pick holes in {}
brainstorm | Collect twenty unusual ideas for {} | the prompt that gets the model to come up with lots of suggestions on {}
rewrite | Rewrite {} in plain words | prompt for making {} easier to read
interview | Interview the user until all about {} is known | template where it questions me on {}
roleplay | Take the part of a sceptical listener to {} | the canned message where the model plays a doubter of {}
checklist | Turn {} into a list of things to tick off | prompt for boxes to tick from {}
""".strip().splitlines()]
PROMPT_THINGS = [line.split(" | ") for line in """
cover-letter | a cover letter | the letter that goes with my cv
pitch | an investor pitch | asking for venture money
bug-report | a bug report | a description of a defect
privacy-text | a privacy statement | data protection wording
recipe | a recipe | cooking directions
product-name | a product name | what to call our new thing
commit-message | a commit message | the line that describes my change in git
apology | an apology to a customer | saying sorry to a client
unit-test | a unit test | a small automatic check
design-brief | a design brief | what the graphic artist should make
toast | a wedding toast | some words for the newlyweds
contract-clause | a contract clause | a paragraph of an agreement
""".strip().splitlines()]

# Requests for tools, with all that do it.
TOOLS = {
    "tell the channel on slack that the release is out": ["slack-ref__slack_post_message"],
    "who are the members of our slack workspace": ["slack-ref__slack_get_users"],
    "put a thumbs up under that slack post": ["slack-ref__slack_add_reaction"],
    "answer below somebody's slack post": ["slack-ref__slack_reply_to_thread"],
    "open a ticket on github for this crash": ["github-ref__create_issue"],
    "copy that github project into my own account": ["github-ref__fork_repository"],
    "approve a colleague's change on github": ["github-ref__create_pull_request_review"],
    "look for a function name across github": ["github-ref__search_code", "firecrawl__firecrawl_research_search_github"],
    "show who last touched each line of this file": ["git-cyanheads__git_blame", "gitlab__get_file_blame"],
    "throw away my last three local commits": ["git-cyanheads__git_reset"],
    "put my unfinished changes aside for a moment": ["git-cyanheads__git_stash"],
    "take just that one commit over to this branch": ["git-cyanheads__git_cherry_pick"],
    "run the failed gitlab pipeline once more": ["gitlab__retry_pipeline"],
    "start a new ci run on gitlab": ["gitlab__create_pipeline"],
    "which gitlab jobs belong to this pipeline": ["gitlab__list_pipeline_jobs"],
    "accept and merge the gitlab mr": ["gitlab__merge_merge_request"],
    "write a page in the gitlab wiki": ["gitlab__create_wiki_page", "gitlab__create_group_wiki_page"],
    "is my gitlab ci yaml correct": ["gitlab__validate_ci_lint", "gitlab__validate_project_ci_lint"],
    "find tests that sometimes pass and sometimes do not on circleci": ["circleci__find_flaky_tests"],
    "why is my circleci build red": ["circleci__get_build_failure_logs", "circleci__get_job_test_results"],
    "go back to the previous release with circleci": ["circleci__run_rollback_pipeline"],
    "send an email from my gmail": ["google-workspace__send_gmail_message"],
    "when am I and Anna both free, google calendar": ["google-workspace__query_freebusy"],
    "put an appointment in my google calendar": ["google-workspace__manage_event"],
    "tell everyone in google calendar that I am on holiday": ["google-workspace__manage_out_of_office"],
    "let Bob see this file on google drive": ["google-workspace__manage_drive_access", "google-workspace__set_drive_file_permissions",
                                               "google-workspace__get_drive_shareable_link"],
    "save a google doc as pdf": ["google-workspace__export_doc_to_pdf"],
    "replace a word everywhere in a google doc": ["google-workspace__find_and_replace_doc"],
    "new line at the bottom of a google sheet": ["google-workspace__append_table_rows", "google-workspace__modify_sheet_values"],
    "what did people answer in the google form": ["google-workspace__list_form_responses", "google-workspace__get_form_response"],
    "a new slide deck in google": ["google-workspace__create_presentation"],
    "phone number of a person in my google address book": ["google-workspace__search_contacts", "google-workspace__get_contact"],
    "restart a deployment in the cluster step by step": ["kubernetes-flux159__kubectl_rollout"],
    "more replicas of the web pods": ["kubernetes-flux159__kubectl_scale"],
    "run a command inside a container of the cluster": ["kubernetes-flux159__exec_in_pod"],
    "put a chart from helm on the cluster": ["kubernetes-flux159__install_helm_chart"],
    "make argo bring the app to the state in git": ["argocd__sync_application"],
    "which apps does argo look after": ["argocd__list_applications"],
    "put this docker image on cloud run": ["cloud-run__deploy_container_image"],
    "drop a file into a cloudflare r2 bucket": ["cloudflare__r2_put_object"],
    "set an environment variable of a cloudflare worker": ["cloudflare__env_var_set", "cloudflare__env_var_bulk_set"],
    "write a value under a key at cloudflare": ["cloudflare__kv_put"],
    "picture from a description with cloudflare ai": ["cloudflare__ai_image_generation"],
    "turn a feature off for all users in launchdarkly": ["launchdarkly__update-feature-flag"],
    "who changed something in launchdarkly lately": ["launchdarkly__get-audit-log-entries"],
    "where in our source is this launchdarkly switch used": ["launchdarkly__get-code-references"],
    "get a copy of the postgres database at neon to try things": ["neon__create_branch"],
    "which columns does that neon table have": ["neon__describe_table_schema"],
    "how do I connect to my neon postgres, give me the uri": ["neon__get_connection_string"],
    "ask clickhouse with a select": ["clickhouse__run_query"],
    "semantic lookup of texts in a pinecone index": ["pinecone__search-records", "pinecone__cascading-search"],
    "order search hits by relevance with pinecone": ["pinecone__rerank-documents"],
    "read one web page as markdown": ["firecrawl__firecrawl_scrape", "tavily__tavily_extract"],
    "fetch a whole website with all its sub pages": ["firecrawl__firecrawl_crawl", "tavily__tavily_crawl"],
    "which urls does this site have": ["firecrawl__firecrawl_map", "tavily__tavily_map"],
    "tell me when a page changes": ["firecrawl__firecrawl_monitor_create"],
    "find scientific papers": ["firecrawl__firecrawl_research_search_papers"],
    "tap at a place on the phone": ["mobile__mobile_click_on_screen_at_coordinates"],
    "put an apk onto the handset": ["mobile__mobile_install_app"],
    "film what happens on the phone": ["mobile__mobile_start_screen_recording"],
    "make the device believe it is in Paris": ["mobile__mobile_set_location"],
    "picture of the current browser page": ["playwright__browser_take_screenshot"],
    "pick an entry in a dropdown in the browser": ["playwright__browser_select_option"],
    "go one page back in the browser": ["playwright__browser_navigate_back"],
    "what requests did the browser page send": ["playwright__browser_network_requests"],
    "message a single line user": ["line-bot__push_text_message", "line-bot__push_flex_message"],
    "how many line messages may I still send this month": ["line-bot__get_message_quota"],
    "current sprint of the linear team": ["linear__linear_getActiveCycle"],
    "linear tickets nobody has taken": ["linear__linear_searchIssues", "linear__linear_getIssues"],
    "make this linear ticket a child of another": ["linear__linear_convertIssueToSubtask"],
    "new row in an airtable": ["airtable__create_record"],
    "another column in airtable": ["airtable__create_field"],
    "move an entry on monday to another section": ["monday__move_item_to_group"],
    "take back what I just did on monday": ["monday__undo_action"],
    "comment on a notion page": ["notion__API-create-a-comment"],
    "look something up in notion": ["notion__API-post-search"],
    "make a deal in hubspot": ["hubspot__hubspot-batch-create-objects"],
    "merge cells in an excel sheet": ["ms365__merge-excel-range"],
    "chart from excel data": ["ms365__create-excel-chart"],
    "say yes to a meeting in outlook": ["ms365__accept-calendar-event"],
    "answer everyone on an outlook mail": ["ms365__reply-all-mail-message", "ms365__create-reply-all-draft"],
    "who is my boss according to microsoft": ["ms365__get-my-manager"],
    "write into a teams channel": ["ms365__send-channel-message"],
    "what was said in the teams meeting, word by word": ["ms365__list-meeting-transcripts", "ms365__get-meeting-transcript-content"],
    "may I release this version, says pact": ["smartbear__contract-testing_can_i_deploy"],
    "crash details from bugsnag": ["smartbear__bugsnag_get_error", "smartbear__bugsnag_get_event"],
    "log a test result in zephyr": ["smartbear__zephyr_create_test_execution", "smartbear__zephyr_update_test_execution"],
    "try the site in a real safari": ["browserstack__runBrowserLiveSession"],
    "find barriers for disabled people on a page": ["browserstack__startAccessibilityScan", "browserstack__accessibilityExpert",
                                                     "browserstack__fetchAccessibilityIssues"],
    "check an n8n flow for mistakes": ["n8n__validate_workflow", "n8n__n8n_validate_workflow"],
    "past runs of my n8n flow": ["n8n__n8n_executions"],
    "usage docs of an npm library": ["context7__query-docs", "context7__resolve-library-id"],
    "start the coolify app anew": ["coolify__control"],
}

# Calls whose results are stored: server, tool, the argument that names what they are about and how, what comes back, and how
# somebody asks for it later.
CALLS = [line.split(" | ") for line in """
gitlab | list_issues | project_id | {} | json:issue | which tickets of {} did you find
circleci | get_build_failure_logs | projectSlug | gh/acme/{} | log:build | why was the ci of {} red, what came out
argocd | get_application_workload_logs | applicationName | {} | log:service | what did the {} app print in argo
kubernetes-flux159 | kubectl_describe | name | {} | yaml:pod | the state of {} in the cluster as you saw it
kubernetes-flux159 | kubectl_logs | name | {} | log:service | output of the {} container we looked at
google-workspace | search_gmail_messages | query | subject:{} | json:mail | the mails on {} you listed earlier
google-workspace | read_sheet_values | range_name | {}!A1:F400 | csv:sales | the numbers of {} from the google sheet
google-workspace | get_events | query | {} | json:event | appointments on {} that came up yesterday
google-workspace | get_doc_content | query | {} | markdown:memo | what did the google document on {} say
clickhouse | run_query | query | SELECT * FROM {} LIMIT 400 | csv:metric | the rows clickhouse gave for {}
neon | run_sql | query | select * from "{}" limit 300 | json:row | the answer of postgres on {}
neon | describe_table_schema | query | {} | json:column | the columns of {} you looked up last time
firecrawl | firecrawl_scrape | url | https://{}.example.com/ | markdown:page | what the {} website said when you read it
firecrawl | firecrawl_crawl | url | https://{}.example.com/docs | json:link | all sub pages of {} you gathered last week
tavily | tavily_search | query | {} news | json:hit | what the web had on {}
git-cyanheads | git_log | path | /src/{} | log:commit | the history of {} you went through
git-cyanheads | git_diff | path | /src/{} | diff:code | what had changed in {} when you compared
git-cyanheads | git_blame | file | /src/{}/main.py | text:blame | who wrote which line in {}, you had that
github-ref | search_code | q | {} in:file | json:place | the spots in our source with {} you turned up
github-ref | get_file_contents | path | {}/settings.yaml | yaml:config | the settings of {} you opened before
github-ref | list_commits | path | {} | json:change | commits of {} from before
linear | linear_searchIssues | query | {} | json:issue | what linear had on {} when you asked
notion | API-post-search | query | {} | json:doc | the notion hits for {} of last week
hubspot | hubspot-search-objects | query | {} | json:customer | the customers around {} you got from hubspot
smartbear | bugsnag_list_project_errors | query | {} | json:error | the crashes of {} bugsnag returned
currents | currents-get-run-details | query | {} | json:test | the tests of {} that were red last time
cloud-run | get_service_log | service | {} | log:service | what cloud run recorded for {}
playwright | browser_network_requests | url | https://{}.example.com/app | text:request | what the browser loaded for {}
airtable | search_records | query | {} | json:row | the airtable records on {} from earlier
monday | get_board_items_page | query | {} | json:task | the entries of the {} board on monday that you fetched
slack-ref | slack_get_channel_history | query | {} | json:message | what people wrote in the {} channel
launchdarkly | list-feature-flags | query | {} | json:flag | which switches did {} have when we checked
coolify | application_logs | query | {} | log:service | coolify output of {} you pulled
gitlab | get_pipeline_job_output | query | {} | log:build | the job trace of {} on gitlab you read
cloudflare | d1_query | query | select * from {} | json:row | what cloudflare's database gave back for {}
pinecone | search-records | query | {} | json:hit | nearest texts to {} that pinecone came up with
n8n | n8n_executions | query | {} | json:run | the flow runs of {} n8n showed us
lark | docx_v1_document_rawContent | path | {} | text:memo | the lark document on {} as you had it
mobile | mobile_get_crash | path | {}.ips | log:crash | the phone's crash dump of {}
context7 | query-docs | query | {} | markdown:page | the library docs on {} you brought up
""".strip().splitlines()]

# Names of projects are two of these.
FIRST = "amber birch cobalt delta ember falcon granite harbor indigo juniper kestrel lagoon maple nimbus orchid pepper quartz raven saffron tundra umber velvet willow xenon zephyr".split()
SECOND = "ledger courier beacon pantry compass turbine anvil lantern meadow bridge".split()

# Facts in the middle of a result, each in one alone, and how somebody asks for the result by it.
NEEDLES = [line.split(" | ") for line in """
payment of Ezinne Okonkwo was refused: the card had expired | which output had the declined payment of Okonkwo
shipment TR-88213 was held at the border in Basel | where did we see the parcel TR-88213 stuck
temperature of freezer 14 rose to -3 degrees at 04:12 | the log in which freezer 14 got warm
user oliver.tambo was locked after nine attempts | the result that mentions oliver.tambo being locked out
certificate for pay.northwind.example expires on 3 December | which answer said pay.northwind.example runs out soon
invoice INV-20417 was paid twice | the thing that came back about INV-20417
could not allocate 48 GiB for the tile cache | where was the tile cache too big
Margit Halvorsen asked for a refund of 412 euros | what did we get on Halvorsen wanting her money back
deadlock between reindex_orders and nightly_totals | the output with nightly_totals blocking reindex_orders
the pump at the Ostend station reported cavitation | earlier result about the Ostend pump
batch K-771 failed the salmonella test | which data had batch K-771
ERR_QUOTA_9931 returned by the geocoder | when did ERR_QUOTA_9931 come back
flight UA-4471 was moved to gate C17 | the answer with flight UA-4471
Priyanka resigned from the steering committee | where did it say Priyanka left the committee
license key for AutoSketch ends with 77QX | that listing with the AutoSketch key
the fuse box in hall 9 was replaced on Sunday | the note on the fuse box of hall 9
sensor wx-brno-02 sent the same value for six days | which log had wx-brno-02 being stuck
fallback font Noto Sans Khmer was not found | the output on the missing Khmer font
container registry answered 429 to buildkit-7 | what did buildkit-7 get from the registry
Mr Abernathy's visit was postponed to May | the message on when Abernathy comes
password rotation of svc-kepler is overdue by 40 days | result that named svc-kepler
firmware 3.8.1-rc2 bricks model HX40 | where did we read that HX40 dies from an update
""".strip().splitlines()]
