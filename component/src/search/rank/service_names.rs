//! Names of well-known apps and services.

use crate::search::text::listed::Listed;

/// Names that are nothing else.
static SERVICES: Listed = Listed::new(
    "1password ableton adyen ahrefs airbnb airtable alibaba amazon ansible arxiv asana auth0 autocad aws \
    azure bamboohr basecamp bigquery binance bitbucket bitwarden bluesky braintree brightdata browserbase \
    calendly canva cassandra circleci clickhouse clickup cloudflare cloudinary codacy coinbase confluence \
    coolify coursera databricks datadog deepl digitalocean discord docker docusign doordash drawio dropbox \
    duckduckgo duolingo dynamodb ebay elasticsearch elevenlabs etsy eventbrite evernote excalidraw expedia \
    facebook fedex figma firebase firecrawl fitbit flightradar freecad freshdesk garmin gcp ghidra github \
    gitlab gmail godot grafana gusto heroku homeassistant hootsuite hubspot huggingface icloud ifttt infisical \
    instacart instagram intercom iterable jenkins jira jupyter kafka karakeep kibana kindle klarna klaviyo \
    kubernetes langfuse lastpass launchdarkly leetcode lichess linkedin lunchmoney lyft magento mailchimp \
    mailgun mapbox marketo mastodon matlab metabase midjourney milvus minecraft miro mixpanel mlflow mongodb \
    mysql n8n neo4j netflix netlify newrelic notebooklm npm okta omnifocus onedrive openai opensearch \
    opentable opsgenie pagerduty patreon paypal perplexity photoshop pinecone pinterest pipedrive \
    postgres postgresql posthog postman prisma prometheus proxmox pubmed pypi quickbooks rabbitmq reddit redis \
    revolut rippling robinhood roblox roku rollbar salesforce searxng semrush sendgrid sentry \
    servicenow sharepoint shazam shopify signoz skype skyscanner slack snapchat snowflake snyk sonarqube sonos \
    soundcloud splunk spotify squarespace strapi strava stripe substack supabase surveymonkey tableau tavily \
    telegram terraform tesla tiktok todoist transloadit trello tripadvisor twilio twitch twitter typeform uber \
    udemy upstash vapi venmo vercel vimeo virustotal walmart webflow wechat whatsapp wikipedia woocommerce \
    wordpress workday xero yelp youtube zapier zendesk zillow zoho zotero",
);

/// Those that are common words as well.
pub(super) static COMMON: Listed = Listed::new(
    "box buffer coda drive excel ghost harvest linear loom medium meet monday notion obsidian outlook \
    segment sheets signal teams wise zoom",
);

/// Whether a word, in whatever case, is one of those in `list`, which spaces divide.
#[inline(never)]
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// Whether `word` (lower case) is the name of a well-known app or service, and nothing else.
pub(crate) fn is_service(word: &str) -> bool {
    SERVICES.has(word)
}
