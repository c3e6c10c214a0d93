"""Common English words that a misspelling of a name or of a yes must not be mistaken for."""

from __future__ import annotations

WORDS = """
abandoned ability about above abroad absence absolute absolutely abuse academic academy accent
accept accepted accepts access accident according account accounting accounts accurate accused
achieve achieved achievement acquired across acting action actions active activities activity
actor actors actress actual actually added adding addition additional address administration
administrative admins admit admitted adopted adult adults advance advanced advantage adventure
advertising advice affair affairs affect affected afford afraid africa african afrika after
afternoon afternoons afterwards again against agencies agency agenda agent agents aggressive
agree agreed agreement agricultural agriculture ahead aight aircraft airport album alcohol alert
ales alexander alien alight alive alleged allen alliance allow allowed allowing allows almost
alone along alongside already alright alternative although alway always amazing amazon
ambassador amendment america american americans americas amin among amongst amount amounts ample
analysis ancient anderson andrew android angel angeles anger angle angry animal animals
anniversary announced announcement annoying annual another answer answered answers anthony
anxiety anybody anymore anyone anything anyway anywhere apart apartment apparent apparently
appeal appear appearance appeared appears apple apples application applications applied apply
appointed appointment appreciate approach appropriate approval approved approves approximately
april arch archie architecture archived archives areas arena argent argue argued argument
arguments aris arizona armed armin around arranged arrest arrested arrival arrive arrived
arsenal arthur article articles artist artists asian asic aside asked asking asleep aspect
aspects assault assembly assessment assets asshole assigned assist assistance assistant
associate associated association assume assumed asta athletes atlanta atlantic atmosphere
attached attack attacked attacking attacks attempt attempted attempts attend attended attending
attention attitude attorney attracted attractive audience audio august augusta auguste augusto
austin australia australian australis author authorities authority authors automatic
automatically available avenue average avoid avril award awarded awards aware awareness aways
awesome awful awkward babies back background badly balance bales ballet balling balls bananas
bandana bands banking banks banned barely barge baseball based basic basically basics basil
basin basis basketball bathroom battery battle beach bears beast beating beautiful beauty became
because become becomes becoming bedroom before began begin beginning begins begun behalf
behavior behaviour behind being belief believe believed believes bellow belong below bench
benefit benefits berger berlin besides better between beyond bible biddle bigger biggest bight
billings billion bills billy binance biological birds birth birthday bishop bitch bitchin
bitcoins black blacks blame blank blast blight blind block blocked blocks blood blown blues
board boards bodies bones bongo bonus books boost boots border boring boston bother bottle
bottom bought bound boxes boyfriend brain branch brand brands brave brawn brazil bread break
breakfast breaking breaks breast breath breen brian bridge brief bright brilliant bring bringing
brings britain british broad broadcast broke broken bron brother brothers brought brow brown
browne browns brows bruce buddy budget bugger build building buildings built bulger bullshit
bunch bureau burgers buried burned burner burning business businesses butter button buying
cabinet cable cala calendar california called calling calls cambridge camera cameras campaign
campus canada canadian cancels cancer candidate candidates candy cannot canter capable capacity
capital captain capture captured carbon cards career careful carefully cares carolina carried
carrier carry carrying carter cases castle catch categories category cater catholic caught cause
caused causes causing celebrate celebration celebrity cells center centers central centre cents
centuries century ceremony certain certainly certificate chain chair chairman challenge
challenges chamber champion champions championship chance chancel chances change changed changes
changing channel channels chapter character characters charge charged charger charges charity
charles charlie chart chase cheap check checked checking checks cheery cheese chelsea chemical
chemistry cheques chest chicago chicken chickens chief child childhood children china chinese
chocolate choice choices choose chose chosen chris christ christian christians christmas church
circle circled circles circuit circumstances cited cities citizen citizens civil clack claim
claimed claiming claims clark class classes classic clean cleaning clear clearly click client
clients climate clinical clinton clock close closed closely closer closing clothes clothing
cloud clubs coach coaching coast cocker coffee coffees coffey colleagues collect collected
collection collective college colonel color colorado colors colour columbia column combat
combination combined comedy comes comfort comfortable comic coming command commander comment
comments commerce commercial commission commissioner commit commitment committed committee
common commonly commonwealth communication communications communist communities community
companies company compare compared comparison compensation compete competition competitive
complaint complete completed completely complex complicated component components composition
comprehensive computer computers concept concern concerned concerning concerns concert concluded
conclusion concrete condition conditions condon conduct conducted conference confidence
confident confirm confirmed confirms conflict conform confused congo congratulations congress
connect connected connection connections consent consequences conservation conservative consider
considered considering consistent consists constant constantly constitution constitutional
constructed construction consumer consumers consumption contact contain contained containing
contains contemporary content contest context continue continued continues continuing contract
contracts contrast contribute contributed contribution contributions control controlled controls
convention conversation conversations convinced cooking cooperation copies corner corning
corporate corporation correct corruption costs cotton could council count counter countries
country county couple couples courage couriers course courses court courtier courts cousin cover
coverage covered covering covers crack craft crash crate crazy cream crease create created
creates creating creation creative credit credits creek crete cricket crime crimes criminal
crisis critical criticism critics cross crossed crossing crowd crown crying crystal cultural
culture curious currency current currently custom customer customers cutting cycle daddy daily
dairy daisy dales dallas dally daly damage damaged dance dancing danger dangerous daniel
darkness database dated dates dating daughter david davis dealing deals dearly death deaths
debate debt debut decade decades december decent decide decided decision decisions decker
declared decline declined declines dedicated deeper deeply defeat defence defend defending
defense defensive define defined definitely definition degree degrees delay deleted deletes
delicious deliver delivered delivers delivery demand demands democracy democratic democrats
demon denied density department depending depends deplete deploys depression depth deputy
describe described describes description desert deserve deserves design designed designer
designs desire desperate despite destroy destroyed destruction detail detailed details determine
determined detroit develop developed developing development developments device devices devil
diamond diego difference differences different difficult difficulty digital dingle dinner direct
directed direction directly director directors dirty disabled disables disappointed disaster
discount discover discovered discovery discrimination discuss discussed discussion disease
diseases disney disorder display distance distributed distribution district districts diversity
divided division divorce doable docked dockers docket doctor doctors document documentary
documents doing dollar dollars domain domestic donald doors double doubled doubles doubly doubt
downer download downtown dozen draft dragon drama dramatic drape drawing drawn dream dreams
dress dressed drink drinking drinks drive driven driver drivers driving dropped dropping drops
drove drown drugs drunk during dutch duties dying dynamic each earlier early earned earth easier
easily eastern eater eating economic economics economy edited edition editor editors education
educational edward effect effective effectively effects efficiency efficient effort efforts egan
egypt eight either eject elected election elections electric electrical electricity electronic
element elementary elements elite elizabeth elsewhere email emails ember emerge emergency emil
emotional emotions empire employed employee employees employment empress empty enable enabled
enabler enables encourage encouraged ended ending enemies enemy energy enforcement engage
engaged engagement engine engineer engineering engineers engines england english enjoy enjoyed
enjoying enough ensure enter entered entering enterprise enterprises entertainment entire
entirely entitled entrance entry environment environmental episode episodes equal equally
equipment equity equivalent error escape especially essential essentially establish established
establishment estate estimated estimates eternal ethnic europa europe european evening evenings
event events eventually ever every everybody everyday everyone everything everywhere evidence
evolution exact exactly example examples excellent except exception exchange excited exciting
exclusive excuse executive exercise exhibition exist existence existing exists expand expansion
expect expectations expected expecting expenses expensive experience experienced experiences
experiment expert experts explain explained explains explanation explore exports exposed
exposure express expressed expression extend extended extension extensive extent external extort
extra extraordinary extras extreme extremely facebook faced faces facilities facility facing
factor factors factory facts faculty failed failing failure fairly faith fallen falling falls
false familiar families family famous fancy fantastic fantasy faris farmers fashion faster
father fault favor favorite favour favourite feature featured features featuring february
federal fedor feedback feeling feelings feels fellow female females festival fever fewer fiance
fiction fiddle field fields fifth fight fighter fighting figure figured figures filed files
filled filling films final finally finals finance financed finances financial finding findings
finds finger fingers finish finished finishing fired firms first fishing fitness fixed flack
flash fleet flight flood floor florida flower flowers flying focus focused folks follow followed
following follows foods footage football force forced forces foreign forest forever forget
forgot forgotten formal format formation formed former forms formula forth fortune forum forward
foster fought found foundation founded founder fourier fourth frame france francis francisco
frank fraud freedom french frequency frequently fresh frida friday fridays friend friendly
friends friendship fright front frown frozen fruit fucked fuckin fucking fully function
functions fundamental funding funds funeral funny further future gained gales gallery games
gaming garden gates gender genera general generale generally generals generated generation
genetic genius genuine george georgia german germany getting ghost giant giants gifts girlfriend
girls given gives giving glass glasses global glory gmail goals going golan golden gonna goodbye
goods google gordon gorgeous gotta gotten government governments governor grace grade graduate
graham grand grange grant granted grapes graph grass grate grateful grave graze great greater
greatest greatly greed greek green greene greens greer greet gripe grope gross ground grounds
group groups growing grown growth guarantee guard guards guess guest guests guidance guide
guilty guitar gust hales hamilton handed handle handling hands hanging happen happened happening
happens happiness happy harder hardly hardware harris harry hasta hater having headed heading
headquarters heads health healthcare healthy heard hearing heart hearts heaven heavily heavy
height hello helped helpful helping helps hence henry heritage heroes herself hidden hiding
higher highest highly highway hillary hills himself hired historic historical history hitting
hockey holding holds holes holiday hollywood homes hone honest honestly honey honor honour
hopefully hopes hoping horrible horror horse horses hospital hospitals hotel hours house
household houses housing houston howard however https human humanity humans hundred hundreds
hungry hunter hunting hurts husband ideal ideas identified identify identity idiot ight ignore
ignored ignores illegal illinois illness image images imagine imessage immediate immediately
immigrants immigration impact impart implementation importance important imports impossible
impressed impression impressive improve improved improvement improving inches incident include
included includes including income increase increased increases increasing increasingly
incredible incredibly indeed independence independent index india indian indiana indicate
indicated individual individuals industrial industries industry infection infernal influence
information informed infrastructure initial initially initiative injured injuries injury inner
innocent innovation input insane inside inspiration inspired instagram installed installs
instance instant instead instill institute institution institutions instructions instruments
insurance intellectual intelligence intended intense intention interest interested interesting
interests interior internal internals international internet interval interview interviews
introduce introduced introduction invest investigate investigation investment investors invite
invited invoices involved involvement involves involving iphone ireland irish islam islamic
island islands israel israeli issue issued issues italian italy items itself jacket jackson
james january japan japanese jason jersey jesus jewish jimmy jingle johnny johnson joined
joining joint jokes jonathan jones jordan joseph journal journalist journey judge judges juice
juiced juices juicy junior justice justin kaka kansas keeping keeps kelly kentucky kevin kicked
killed killer killing kills kinda kinds kingdom kings kitchen knife knight knock knowing
knowledge known knows korea korean label labor laboratory labour lack ladies landing landon
lands landscape lange language languages large largely larger largest largo larue lately later
latest latin latter laugh laughing launch launched lawrence lawyer lawyers layer leach leader
leaders leadership leading leads league learn learned learning least leather leave leaves
leaving legacy legal legend legislation legislative lemons length leon lesson lessons letter
letters letting level levels lever lewis liberal liberty library license lieutenant lifetime
light lights liked likely likes limit limited limits lincoln lines linked links linus liquid
listed listen listening listing lists literally literary literature little lived liverpool lives
living loans local located location locations locked locker logic london longer longo looked
looking looks loose losing losses loudon louis loved lovely loves loving lower lowes lowest
lucky lunch luxury lying lyndon lyrics mach machine machines madrid magazine magic mail mainly
maintain maintained maintenance major majority majors makes makeup making males mall mallet
manage managed management manager managers manages managing manchester mang manga manger mango
manner mano manor manual manuals manuel manufacturers manufacturing marc march marco marcy marge
margo maria marine maris marked market marketing markets marks marriage married marry marsh
martin massachusetts massage massive master masters match matches mater material materials
matter matters matthew maximum maybe mayor meaning means meant meanwhile measure measures
mechanical medal meddle media medical medicine medium mediums meeting meetings meets megan
melbourne mellow member members membership memorial memories memory mental mention mentioned
merch mere merely merged merger merges merle merlin message messaged messages metal method
methods mexican mexico miami michael michigan microsoft middle midnight might miles military
miller milling million millions minds miner mingle minimum mining minister ministers ministry
minnesota mino minor minority minors minot minute minutes mirror missed missing mission mistake
mistakes mixed moaning mobile model models modern moment moments monday mondays mondo money mong
mongol monitor monitoring mono monster month monthly months moral morgan mornin morning mornings
mortgage moscow mostly mother mothers motion motor mount mountain mountains mourning mouse mouth
moved movement movements moves movie movies moving muddle multi multiple murder murdered muscle
museum music musical muslim muslims myself mystery naked named names narrative narrow nation
national nations native natural naturally nature nearby nearly necessarily necessary needed
needs negan negative neighborhood neither nervous nesting network networks neuer neve never
newer newly newspaper nicht nigeria nigh night nights nobody noise norah norma normal normally
normals norman norte north northern noted notes nothing notice noticed novel november nowhere
nuclear number numbers numerous nurse nursing obama oberlin object objective objects observed
obtain obtained obvious obviously ocala occasion occasionally occupied occur occurred occurs
ocean october offensive offer offered offering offers office officer officers offices official
officially officials often older olympic olympics ongoing online opened opening opens operate
operated operating operation operations operator opinion opinions opportunities opportunity
opposed opposite opposition option options oracles orang orange oranges order ordered orders
ordinary oregon organic organisation organization organizations organized origin original
originally oscar other others otherwise ought ourselves outcome output outside outstanding
overall owned owner owners ownership oxford pacific package packed pages painful paint painted
painting pairs pakistan palace pales pallet panel pants papal paper papers paras parent parents
pari paris parish parking parks parliament parris pars parse participants participate
participation particular particularly parties partly partner partners partnership parts party
pasha passed passenger passengers passes passing passion past paste pasts pasty patient patients
patrick pattern patterns paused pauses paying payment payments peace peachy pearly penalty
pennsylvania people percent percentage perch perfect perfectly perform performance performed
performing perhaps period periods permanent permission person personal personality personally
personnel persons perspective peter petition phase philadelphia philosophy phone phoned phones
phoney phony photo photographs photography photos phrase physical physically physics piano
piazza picked picking pickups picture pictures piece pieces pilot pitch pizza pizzas place
placed places plain plane planet planned planning plans plant plants plastic plate platform
played player players playing plays please pleased pleasure plenty plight poach pocket poetry
point pointed points police policies policy political politicians politics popular population
portion position positions positive possession possibility possible possibly posted posting
posts postures potential potentially pound pounds poverty power powerful powers practical
practice practices praise prayer preach precious prefer preferred pregnancy pregnant premier
premium premiums preparation prepare prepared preparing presence present presentation presented
presents president presidential press pressure presume pretend pretty prevent preview previews
previous previously price prices pride priest primarily primary primate prime prince princess
principal principle principles print printed prior priority prison prisoners privacy private
privates prize probably problem problems procedure procedures process processes processing
produce produced producer producers producing product production productions products
professional professor profile profit profits program programme programming programs progress
progressive project projects prominent promise promised promote promotion prone proof proper
properly properties property proposal proposed protect protected protecting protection protein
protest proud prove proved proven provide provided provides providing province psychology pubic
public publication published publishing publix pulled pulling punch punishment purchase
purchased purple purpose purposes pushed pushing putting pythons qualified quality quarter quash
queen queens queer quest question questions quick quickly quiet quite quote rabbi rabbis rabbits
races racial racing racist radical radio railroad railway raise raised raising rally random
range ranked rape rapid rapidly rarely rated rates rather rating ratio reach reached reaching
reaction reader readers reading ready reality realize realized really reason reasonable reasons
rebate recall receive received receiving recent recently recognition recognize recognized
recommend recommended record recorded recording records recovery reds reduce reduced reducing
reduction refer reference references referred referring reflect reform refunds refuse refused
regan regard regarding regardless regime region regional regions regis register registered
registration regret regular regularly regulation regulations reis rejected rejects related
relation relations relationship relationships relative relatively release released releases
relevant relief religion religious remain remained remaining remains remember remembered remind
remote removal remove removed remover removes renamed renter repair repeat replace replaced
replacement replaces reply report reported reporter reporting reports represent representation
representative representatives represented representing represents republic republican
republicans reputation request requested require required requirements requires rescue research
researchers reserve residence resident residential residents resistance resolution resort
resource resources respect respectively respond response responsibility responsible restarts
restaurant restaurants resting restored restores restrictions result resulted resulting results
resumed resumes retail retired retirement retro return returned returning returns reveal
revealed reveals revenue revere reverse review reviews revis revolution reward rhone richard
riddle ridiculous riding right rights rings rising risks river rivers roads robert robin rocker
rocket rocks roger roles rolling roman romance romantic rooms roots rough roughly round rounds
route routine royal rugby ruled rules running rural russell russia russian saad sable safes
safety sages saint sakes sala salads salah salam salary salas sale saleh salem sales salts
sample samples santa sarah satellite saturday saturdays sauce saudi saved saves saving savings
saying scalar scale scales scalia scalp scaly scared scary scene scenes schedule scheduled
scheme school schools science sciences scientific scientists score scored scores scoring
scotland scott scottish screaming screen script search searching season seasons seats seattle
second secondary seconds secret secretary secrets section sections sector secure security seeing
seeking seemed seems select selected selection selling senate senator sending senior sense
sensitive sentence separate separated september sequence serge series serious seriously serve
served server serves service services serving session sessions setting settle settled settlement
seven sever several severe severed severn sexual shadow shake shall shame shape shaped share
shared shares sharing sharp sheet shell sherry shield shift shingle shipping ships shirt shite
shock shoes shone shoot shooting shopping shops shore short shortly shots should shoulder showed
shower showing shown shows sides sift sight signal signed significant significantly signing
signs silence silent silly silver silvers silvery similar similarly simon simple simply since
singapore singer singing single singled singles singlet singly sister sisters site sites sitting
situation situations sixth skill skills slack slave sleep sleeping slide slight slightly sliver
slowest slowly small smaller smalls smart smell smile smite smith smoke smoking smooth soccer
social society software solar soldier soldiers soles solid solution solutions solve solver
somebody somehow someone something sometime sometimes somewhat somewhere songs sorry sought
sound sounds source sources south southern soviet space spain spanish speak speaker speaking
speaks special species specific specifically speech speed spell spend spending spent spirit
spiritual spite split spoke spoken sport sports spots spread spring squad square squared squares
squire squish stability stable stables stadium staff stage stages staking stale stall stand
standard standards standing stands staple star stare staring stark starr stars start started
starting starts starz stat state stated statement statements states stating station stations
statistics stats status stayed staying steady steal steam steel stephen steps steve stick still
stock stolen stomach stone stones stood stopped stops storage store stores stories storm story
straight strange strat strategic strategy stream street streets strength stress stretch strike
string strip strong stronger strongly struck structure structures struggle struggling stuart
stuck student students studied studies studio study studying stuff stupid sturt style styles
subject subjects submits submitted subsequent substantial success successful successfully sucks
sudden suddenly suffer suffered suffering sufficient sugar suggest suggested suggests suicide
suit suitable suited suites suits summary summer summit sundae sunday sundays sundry super
superior supplies supply support supported supporters supporting supports suppose supposed
supreme surely surface surgery surprise surprised surrounded surrounding survey survival survive
survived suspect suspended swear sweden sweet swifts swimming swing switch sword sydney symbol
symptoms syria system systems table taken takes taking talent talented tales talked talking
talks tango target tart taste tasting tater taught taxes taylor teach teacher teachers teaching
teams tears technica technical technique techniques technologies technology teeth tegan
telephone television telling tells temperature temperatures temple temporary tennis terminal
terms terrible territory terrorist tested testing tests texas texting texts thank thanks thats
theater theatre their theme themselves theory therapy there therefore these thick thicken thing
things think thinking thinks third thirty thomas those though thought thoughts thousand
thousands thread threat threatened three threw throat through throughout throw throwing thrown
thursday thursdays ticket tickets tiger tight times tingle tired tissue title titles today
toffee together toilet tomorrow tongue tonight tools topic toronto total totally touch touched
tough tournament toward towards tower towns track tracks trade trading tradition traditional
traffic trail trailer train trained training trans transfer transferred transfers transition
translation transmission transport transportation trash travel treat treated treatment treaty
trees trend trends trial trials triangles trick tried tries triple troops trouble truck truly
trump trust truth trying tuesday tuesdays turkey turned turning turns twelve twenty twice
twitter types typical typically ukraine ultimate ultimately unable uncle under underground
understand understanding understood unfortunately uniform union unique united units universal
universe universities university unknown unless unlike unlikely until unusual upcoming update
updated updates upgraded upgrades upper upset urban useful users using usual usually vacation
valid valley valuable value values variety various vega vegans vegas vegetarians vehicle
vehicles verge version versions versus veterans victim victims victoria victory video videos
vietnam viewed viewers views village violence violent virgin virginia virginian virtual virus
visible vision visit visited visiting visitors visits visual vital voice voices volume voted
voters votes voting wafer wager waite waiter waiting wales walked walker walking walks walled
waller wallets walls walter wanna wanted wanting wants warning warriors washington waste watch
watched watching water waters watery waver waves wayne weakly wealth weapon weapons wearing
weather website wedding wednesday wednesdays weekend weekly weeks weight weird welcome welfare
western whatever wheel whenever where whereas whether which while whilst whine whit white whiter
whites whitey whoever whole whose whyte widely widows wight wildlife william williams willing
wilson window windows wings winner winners winning winter wisconsin wisdom wishes within without
witness woman women wonder wonderful wondering wooden woods words worked worker workers working
works world worldwide worried worry worse worst worth would wounded wright write writer writers
writes writing written wrong wrote yards years yellow yellows yesterday young younger yours
yourself youth youtube zealand
"""
