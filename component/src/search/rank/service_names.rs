//! Names of well-known apps and services.

/// Names that are nothing else. One text: a slice of many takes eight bytes more for each.
const SERVICES: &str = "1password ahrefs airbnb airtable alibaba amazon ansible arxiv asana auth0 autocad aws azure \
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
    wordpress workday xero yelp youtube zapier zendesk zillow zoho";

/// Those that are common words as well.
pub(super) const COMMON: &str = "box buffer coda drive excel ghost harvest linear loom medium meet monday notion obsidian outlook \
    segment sheets signal teams wise zoom";

/// A bit for each start of the names, so that most words need not be looked for.
const STARTS: [u64; 8] = {
    const fn note(mut starts: [u64; 8], names: &str) -> [u64; 8] {
        let (names, mut at) = (names.as_bytes(), 0);
        while at + 2 < names.len() {
            if at == 0 || names[at - 1] == b' ' {
                let bit = start_of(names[at], names[at + 1], names[at + 2]);
                starts[bit / 64] |= 1 << (bit % 64);
            }
            at += 1;
        }
        starts
    }
    note(note([0; 8], SERVICES), COMMON)
};

/// A number below 512 for the first three letters of a word, in whatever case.
const fn start_of(first: u8, second: u8, third: u8) -> usize {
    ((first | 0x20) as usize * 37 + (second | 0x20) as usize * 7 + (third | 0x20) as usize) % 512
}

/// Whether a word may be a name: one of three letters or more that starts like one.
pub(super) fn may_be_name(word: &str) -> bool {
    let [first, second, third, ..] = *word.as_bytes() else { return false };
    let bit = start_of(first, second, third);
    STARTS[bit / 64] >> (bit % 64) & 1 == 1
}

/// Whether a word, in whatever case, is one of those in `list`, which spaces divide.
#[inline(never)]
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// Whether `word` (lower case) is the name of a well-known app or service, and nothing else.
pub(crate) fn is_service(word: &str) -> bool {
    may_be_name(word) && is_one_of(word, SERVICES)
}
