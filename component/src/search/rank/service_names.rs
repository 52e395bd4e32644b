//! Names of well-known apps and services.

use crate::search::text::listed::Listed;

/// Names that are nothing else.
static SERVICES: Listed = Listed::new(
    "1password ahrefs airbnb airtable alibaba amazon ansible arxiv asana auth0 autocad aws azure \
    bamboohr basecamp bigquery binance bitbucket bitwarden calendly canva cassandra circleci \
    clickhouse clickup cloudflare coinbase confluence coursera databricks datadog digitalocean \
    discord docker docusign doordash dropbox duolingo dynamodb ebay elasticsearch etsy eventbrite \
    evernote expedia facebook figma firebase fitbit freshdesk garmin gcp github gitlab gmail grafana \
    heroku homeassistant hootsuite hubspot huggingface ifttt instagram intercom jenkins jira kafka \
    kibana klarna kubernetes lastpass launchdarkly linkedin lyft magento mailchimp mailgun marketo \
    matlab metabase midjourney minecraft miro mixpanel mongodb mysql netflix netlify newrelic npm \
    okta onedrive openai opentable opsgenie pagerduty paypal perplexity photoshop pinecone pinterest \
    pipedrive postgres postgresql posthog prometheus pypi quickbooks rabbitmq reddit redis robinhood \
    roblox roku salesforce semrush sendgrid sentry sharepoint shazam shopify skype slack snapchat \
    snowflake sonarqube sonos soundcloud splunk spotify squarespace strava stripe supabase \
    surveymonkey tableau telegram terraform tesla tiktok todoist trello tripadvisor twilio twitch \
    twitter typeform uber udemy venmo vercel walmart webflow wechat whatsapp wikipedia woocommerce \
    wordpress workday xero yelp youtube zapier zendesk zillow zoho",
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
