"""The concierge in English."""

from __future__ import annotations

from gateway.agents.concierge.texts import Asking, Power, Saying, Section, Talk, Texts, Words

_HELP = (
    "This is what I can do:\n"
    '• deploy a service ("deploy web"): I ask for the region and the number of replicas, '
    "and for your approval\n"
    '• search the handbook ("search for backups"): page by page\n'
    '• run the checks ("run the checks"): a real child process\n'
    '• look up an order ("look up order 1042"): two seconds that nobody can cut short\n'
    '• read you the quarterly report ("the quarterly report"): long enough to interrupt\n'
    '• plan a move ("plan the move"): I ask before I start\n'
    '• book a table ("book a table"): two questions\n'
    'Interrupt me whenever you like; "make it 3 replicas" or "only the risks" is enough.\n'
    "I am the demo agent and follow a script. For a real model with these tools set BARGEIN_MODEL, "
    "for example BARGEIN_MODEL=openai:gpt-4o-mini (BARGEIN_MODEL_BASE_URL for a server of your "
    "own), and start again."
)

ENGLISH = Texts(
    language="en",
    words=Words(
        powers={
            Power.DEPLOY: r"\b(?:deploy|redeploy|roll out|ship)\w*",
            Power.LOOKUP: r"\blook ?up\b|\border (?:no\.? ?)?\d+|\bmy order\b",
            Power.CHECKS: r"\b(?:checks|health check|smoke tests?|run (?:the )?tests)\b",
            Power.TABLE: r"\b(?:book|reserve|reservation)\b|\ba table\b",
            Power.REPORT: r"\breport\b",
            Power.PLAN: r"\b(?:plan|migrate|migration)\b|\bthe move\b",
            Power.SEARCH: r"\b(?:search|find|look through|look for)\w*",
        },
        talk={
            Talk.HELP: r"\bhelp\b|what can you do|who are you|what are you|\bcommands\b",
            Talk.GO_ON: r"\b(?:go on|continue|carry on|keep going|resume)\b",
            Talk.THANKS: r"\b(?:thanks|thank you|cheers|great|perfect)\b",
            Talk.HELLO: r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening))\b",
        },
        regions={
            "eu": r"\beu\b|\beurope\w*",
            "us": r"(?-i:\bUS\b)|\b(?:to|in|into|actually|region) (?:the )?us\b|(?:^|,)\W*us\W*$"
            r"|\busa\b|united states|\bamerica\b",
            "asia": r"\basia\w*",
        },
        sections={
            "revenue": r"\b(?:revenue|sales|income)\b",
            "costs": r"\b(?:costs?|spending|expenses)\b",
            "customers": r"\b(?:customers?|clients?)\b",
            "risks": r"\brisks?\b",
            "outlook": r"\b(?:outlook|forecast|next quarter)\b",
        },
        numbers={
            "two": 2,
            "three": 3,
            "four": 4,
            "five": 5,
            "six": 6,
            "seven": 7,
            "eight": 8,
            "nine": 9,
            "ten": 10,
            "eleven": 11,
            "twelve": 12,
        },
        unit=r"(?:replicas?|copies|copy|instances?|pages?|people|persons?|guests?)",
        before=r"(?:make (?:it|that)|rather|better|table for|actually|instead)",
        refused=r"\b(?:not|instead of|rather than|except)\s+(?:in\s+|to\s+)?(?:the\s+)?$",
        asks=r"^\W*(?:what|who|why|how|when|where|which)\b",
        service=r"\b(?:deploy|redeploy|roll out|ship)\s+(?:(?:the|our|my|a|new|service|app)\s+)*"
        r"(?P<fact>[a-z][\w.-]*)",
        not_a_service=frozenset(
            [
                "to",
                "in",
                "it",
                "again",
                "please",
                "something",
                "service",
                "app",
                "with",
                "now",
                "one",
            ]
        ),
        topic=r"\b(?:search|find|look)\w*\s+(?:(?:through|the|handbook|pages|for|about|me|on)\s+)*"
        r"(?P<fact>.+)",
        after_topic=r"(?:\s+|,)(?:instead|please|too|as well)\W*$",
    ),
    asking=Asking(
        region="Which region should {service} go to?",
        regions={"eu": "Europe", "us": "United States", "asia": "Asia"},
        replicas="How many replicas of {service}, from 1 to 5?",
        deploying=(
            "Building the image",
            "Pushing it to {region}",
            "Starting {replicas} replicas",
            "Waiting until they are healthy",
            "Moving the traffic over",
        ),
        page="page {page} of {pages}",
        check="check {check} of {checks} passed",
        plan="This is my plan to {goal}. May I start?",
        date="For which day shall I book at {restaurant}?",
        people="For how many people, from 1 to 12?",
    ),
    saying=Saying(
        deploy="I'll deploy {service}. Two things I need from you first.",
        deploy_changed="Understood, I'll plan that anew with what you said.",
        confirm="Then it is {service} in {region} with {replicas} replicas. "
        "That changes what is live, so it needs your approval.",
        confirm_changed="Changed: {service} in {region} with {replicas} replicas. "
        "That needs an approval of its own.",
        deployed="Done: {service} runs in {region} with {replicas} replicas.",
        denied="You said no, so {service} was not deployed.{reason}",
        search='I\'ll look through {pages} pages of the handbook for "{query}".',
        found="I read {pages} pages and found this:\n{found}",
        found_nothing='I read {pages} pages; none of them says anything about "{query}".',
        checks="I'll run the checks in a process of their own.",
        checked="All {passed} checks passed; the process ended by itself.",
        lookup="I'll look up order {order}. That takes two seconds, and nothing cuts it short.",
        looked_up="Order {order}: {status}.",
        no_order="There is no order {order}. I know {known}.",
        report="Here is the quarterly report.",
        report_only="Only that part, then.",
        report_cut="You stopped me while I was at {title}. ",
        report_go_on="I go on with {title}.",
        plan="I've drawn up a plan to {goal}. I start once you agree.",
        plan_done="The plan is carried out, all {steps} steps.",
        plan_denied="Then I leave it. Nothing was changed.{reason}",
        table="I'll book a table at {restaurant}. I need the day and the number of people.",
        booked="Booked at {restaurant}: {date}, {people} people, number {number}.",
        unknown="I was cut off before I learnt how that ended. It may have gone through, so I "
        "won't simply do it again; please look before you ask me to.",
        no_answer="I got no answer, so I did not go on. Ask me again whenever you like.",
        stopped="That was stopped before it was done.",
        not_allowed="You may not have that done here, so I left it.",
        failed="That did not work out: {content}.",
        set_aside="I leave the rest of that for now.",
        go_on="Where was I?",
        hello="Hello! I am the concierge, the demo agent.",
        thanks="You're welcome.",
        outside="That is outside my script, so I can't answer it honestly.",
        help=_HELP,
    ),
    sections=(
        Section(
            "revenue",
            "Revenue",
            "We took in 4.2 million, eight percent more than last quarter. Two thirds of the "
            "growth came from customers who already had a contract and bought a second product. "
            "New business was flat, as it usually is in summer.",
        ),
        Section(
            "costs",
            "Costs",
            "Costs rose by three percent. Hosting became cheaper after the move to smaller "
            "machines; travel became dearer, because we visited every large customer once.",
        ),
        Section(
            "customers",
            "Customers",
            "We won 31 customers and lost nine. Six of the nine left in their first month, and all "
            "six named the same reason: setting it up took too long.",
        ),
        Section(
            "risks",
            "Risks",
            "There are three. One customer stands for a fifth of our revenue, and their contract "
            "ends in March. The database has no tested restore. And only two people know the "
            "billing code.",
        ),
        Section(
            "outlook",
            "Outlook",
            "For the next quarter we expect six percent growth. The first month goes into a faster "
            "set-up, the second into a restore that we have tried.",
        ),
    ),
    handbook=(
        ("Backups", "Backups run at two at night and are kept for thirty days."),
        (
            "Restore",
            "A restore is tried in the first week of each month; the log names who did it.",
        ),
        ("On call", "Whoever is on call answers within fifteen minutes and may wake the others."),
        ("Deployments", "Deployments need an approval; on Fridays after noon they need two."),
        ("Regions", "There are three regions: Europe, United States and Asia."),
        ("Replicas", "A service has one to five replicas; fewer than two is for tests only."),
        ("Billing", "Invoices leave on the first working day; a refund needs a second person."),
        ("Holidays", "Holidays are entered two weeks ahead; a long one, two months ahead."),
        ("Travel", "Trains are booked by everybody themselves, flights by the office."),
        ("Security", "Keys are changed every ninety days, and at once when a laptop is lost."),
        ("Visitors", "Visitors are met at the door and wear a badge."),
        ("Customers", "Each large customer is visited once a quarter and called once a month."),
    ),
    orders={
        1042: "shipped yesterday, arrives on Thursday",
        1043: "paid, waits for the warehouse",
        1044: "returned, the refund is on its way",
    },
    goal="move the blog to the new server",
    plan_steps=(
        "Copy the database while the old server keeps running",
        "Switch the old server to read-only",
        "Copy what changed in between",
        "Point the name to the new server",
    ),
    query="backups",
    service="web",
    restaurant="The Blue Door",
)
