"""Common English words that a misspelling of a name or of a yes must not be mistaken for."""

from __future__ import annotations

WORDS = """
abandoned ability about above abroad absolute absolutely abuse academic academy accent accept
accepted accepts access accident according account accounts accurate accused achieve achieved
achievement acquired across acting action actions active activities activity actor actors
actress actual actually added adding addition additional address administration administrative
admins admit admitted adopted adult adults advance advanced advantage adventure advertising
advice affairs affect affected afford afraid africa african afrika after afternoon afternoons
afterwards again against agencies agency agent agents agree agreed agreement agriculture ahead
aight aircraft airport airs album alcohol ales alexander alight alive alleged allen alliance
allo allow allowed allowing allows almost alone along alongside already alright alternative
although alway always amazing amazon amendment america american americans americas amin among
amount amounts ample analysis ancient anderson andrew android angel angeles anger angle angry
animal animals anniversary announced annoying annual another answer answers anthony anxiety
anybody anymore anyone anything anyway anywhere apart apartment apparently appeal appear
appearance appeared appears apple apples application applications applied apply appointed
appointment appreciate approach appropriate approval approved approves approximately april arch
archie architecture archived archives areas argent argue argued argument aris arizona armed
armin around arrest arrested arrival arrive arrived arthur article articles artist artists asian
asic aside asked asking asleep aspect aspects assault assembly assessment assets assigned assist
assistance assistant associate associated association assume assumed asta atlanta atlantic
atmosphere attached attack attacked attacks attempt attempted attempts attend attended attention
attitude attorney attractive audience audio august augusta auguste augusto austin australia
australian australis author authorities authority authors automatic automatically available
avenue average avoid avril award awards aware awareness aways awesome awful babies back
background badly balance bales ballet balling balls bananas bandana bands banks banned barely
barge baseball based basic basically basics basil basin basis basketball bathroom battery battle
beach beating beautiful beauty became because become becomes becoming bedroom before began begin
beginning begins begun behalf behavior behaviour behind being belief believe believed believes
bellow belong below bench benefit benefits berger berlin besides better between beyond bible
biddle bigger biggest bight billings billion bills binance birds birth birthday bishop bitch
bitchin bitcoins black blacks blame blank blight blind block blocks blood blown board bodies
bongo bonus books boost border boring boston bother bottle bottom bought bound boyfriend brain
branch brand brawn brazil bread break breakfast breaking breaks breath breen brian bridge brief
bright brilliant bring bringing brings britain british broad broadcast broke broken bron brother
brothers brought brow brown browne browns brows buddy budget bugger build building buildings
built bulger bullshit bunch bureau burgers buried burner burning business businesses butter
button buying cabinet cable cala california called calling calls cambridge camera campaign
campus canada canadian cancels cancer candidate candidates cannot canter capable capacity
capital captain capture captured carbon cards career careful carefully cares carolina carried
carry carrying cases castle catch category cater catholic caught cause caused causes causing
celebrate cells center centers central centre cents century ceremony certain certainly chain
chair chairman challenge challenges chamber champion champions championship chance chancel
chances change changed changes changing channel channels chapter character characters charge
charged charger charges charity charles charlie chart chase cheap check checked checking cheery
cheese chemical cheques chest chicago chicken chickens chief child childhood children china
chinese chocolate choice choices choose chose chosen chris christ christian christians christmas
church circle circled circles circuit circumstances cities citizen citizens civil clack claim
claimed claims clark class classes classic clean cleaning clear clearly cleary click client
clients climate clinical clinton clock close closed closely closer closing clothes clothing
cloud clubs coach coast cocker coffee coffees coffey collect collected collection college colo
colonel color colorado colors colour columbia combat combination combined comedy comes comfort
comfortable comic coming command commander comment comments commerce commercial commission
commissioner commitment committed committee common commonly communication communications
communities community companies company compare compared comparison compete competition
competitive complete completed completely complex complicated components comprehensive computer
concept concern concerned concerns concert conclusion concrete condition conditions condon
conduct conducted conference confidence confident confirm confirmed confirms conflict conform
confused congo congratulations congress connect connected connection consent consequences
conservative consider considered considering consistent consists constant constantly
constitution construction consumer consumers contact contain contained containing contains
contemporary content contest context continue continued continues continuing contract contracts
contrast contributed control controlled controls convention conversation convinced cooking
copies corner corning corporate corporation correct costs could council count counter countries
country county coupe couple couriers course courses court courtier courts cousin cover coverage
covered covering covers crack crash crate crazy cream crease create created creates creating
creation creative credit credits creek crete cricket crime crimes criminal crisis critical
criticism critics cross crowd crown crying crystal cultural culture curious currency current
currently custom customer customers cutting cycle daddy daily dairy daisy dales dallas dally
daly damage damaged dance dancing danger dangerous daniel dates dating daughter david davis
dealing deals dearly death deaths debate debt debut decade decades december decent decide
decided decision decisions decker declared decline declined declines dedicated deeply defeat
defence defend defense defensive defined definitely definition degree degrees dela delay deleted
deletes deliver delivered delivers delivery demand demands democracy democratic democrats demon
denied denny department depending depends deplete deploys depression depth deputy describe
described describes description desert deserve design designed designer designs desire despite
destroy destroyed destruction detail detailed details determine determined develop developed
developing development developments device devices diamond diego difference differences
different difficult digital dingle dinner direct directed direction directly director directors
dirty disabled disables disappointed disaster discover discovered discovery discuss discussed
discussion disease diseases disney display distance distribution district divided division
divorce doable docked dockers docket doctor doctors document documents doing dollar dollars
domestic donald doo doors double doubled doubles doubly doubt downer download downtown doze
draft dragon drama dramatic drape drawing drawn dream dreams dress dressed drink drinking drinks
drive driven driver drivers driving dropped drove drown drugs drunk during dutch dying each
earlier early earned earth easier easily eastern eater eating economic economics economy edition
editor editors education educational edward effect effective effectively effects efficiency
efficient effort efforts egan egypt eight either eject ejected elected election elections
electric electrical electricity electronic element elements elite elizabeth elsewhere elven
email emails ember emerge emergency emil emotional emotions empire employed employee employees
employment empress empty enabled enabler enables encourage ended ending enemies enemy energy
enforcement engage engaged engine engineer engineering engineers england english enjoy enjoyed
enjoying enough ensure enter entered entering enterprise enterprises entertainment entire
entirely entitled entrance entry environment environmental episode episodes equal equally
equipment equivalent error escape especially essential essentially establish established
establishment estate estimated eternal europa europe european evening evenings event events
eventually ever every everybody everyday everyone everything everywhere evidence evolution exact
exactly example examples excellent except exchange excited exciting exclusive excuse executive
exercise exhibition exist existence existing exists expansion expect expectations expected
expecting expensive experience experienced experiences experiment expert experts explain
explained explains explanation exports exposed exposure express expressed expression extended
extension extensive extent external extort extra extraordinary extras extreme extremely facebook
faced faces facilities facility facing factor factors factory facts failed failure fairly faith
fallen falling falls false familiar families family famous fantastic fantasy faris farmers
fashion faster father fault favor favorite favourite feature featured features featuring
february federal fedor feeling feelings feels fellow female females festival fever fiance
fiction fiddle field fields fifth fight fighting figure figured figures filed files filled
filling films final finally finals finance financed finances financial finding findings finds
finger fingers finish finished fired firms first fishing fitness fixed flack flash flight floor
florida flower flowers flying focus focused folks follow followed following follows foods
football force forced forces foreign forest forever forget forgot forgotten formal format
formation formed former forms formula fort forth forum forward fought found foundation founded
founder fourier fourth frame france francis francisco frank fraud freedom french frequency
frequently fresh frida friday fridays friend friendly friends friendship fright front frown
fruit fucked fucking fully function functions funding funds funeral funny further future gained
gales gallery games gaming gant garden gender genera general generale generally generals
generation genuine george georgia german germany getting ghost giant gifts girlfriend girls
given gives giving glass global glory gmail goals going golan golden gonna goods google gordon
gotta gotten government governments governor grace grad grade graduate gran grand grange grant
granted grapes graph grass grate grated grave graze great greater greatest greed greek green
greene greens greer greet greta gripe grope gross ground grounds group groups growing grown
growth guarantee guard guess guest guests guide guilty guitar gust hales handed handle handling
hands hanging happen happened happening happens happiness happy harder hardly harris harry hasta
hater having headed heading headquarters heads health healthcare healthy heard hearing heart
hearts heaven heavily heavy height hello helped helpful helping helps hence henry heritage
herself hidden higher highest highly highway hills himself hired historic historical history
hitting hockey holding holds holiday hollywood homes hone honest honestly honey honor honour
hopefully hopes hoping horrible horror horse horses hospital hotel hours house household houses
housing houston howard however https human humans hundred hundreds hungry hunter hunting husband
ideal ideas identified identify identity idiot ight ignore ignored ignores illegal illinois
illness image images imagine imessage immediate immediately immigrants immigration impact impart
importance important imports impossible impressive improve improved improvement improving
incident include included includes including income increase increased increases increasing
increasingly incredible incredibly indeed independence independent index india indian individual
individuals industrial industries industry infernal influence information informed
infrastructure initial initially initiative injured injuries injury inner innocent insane inside
inspiration inspired installed installs instance instead instill institute institution
institutions instructions insurance intelligence intended intense interest interested
interesting interests interior internal internals international internet interval interview
interviews introduce introduced introduction investigation investment invited invoices involved
involving iphone ireland irish islam islamic island islands israel israeli issue issued issues
italian italy items itself jackson james january japan japanese jason jersey jesus jewish jimmy
jingle johnson joined joining joint jones jordan joseph journal journalist journey judge judges
juice juiced juices juicy junior justice kaka kansas keeping keeps kelly kevin kicked killed
killer killing kinda kinds kingdom kings kitchen knife knight knowing knowledge known knows
korea korean label labor labour lack ladies landing landon lands lange language languages large
largely larger largest largo larue lately later latest latin latter laugh laughing launch
launched lawyer lawyers layer leach leader leaders leadership leading leads league learn learned
learning least leave leaves leaving legacy legal legend legislation lemons length leon lesson
lessons letter letters letting level levels lever lewis liberal library license lieutenant
lifetime light lights liked likely likes limit limited limits lines linked links linus liquid
listed listen listening lists literally literature little lived liverpool lives living loans
local located location locations locked locker london longer longo looked looking looks loose
losing losses loudon louis loved lovely loves loving lower lowes lowest lucky lunch lying lyndon
mach machine machines magazine magic mail mainly maintain maintained maintenance major majority
majors makes makeup making males mall mallet manage managed management manager managers manages
managing manchester mang manga manger mango manner mano manor manuals manuel manufacturing marc
march marco marcy marge margo marine maris marked market marketing markets marks marriage
married marry marsh martin massage massive master match matches mater material materials matter
matters matthew maximum maybe mayor meaning means meant meanwhile measure measures medal meddle
media medical medicine medium mediums meeting meetings megan mellow member members membership
memorial memories memory mental mention mentioned merch mere merely merged merger merges merle
merlin message messaged messages metal method methods mexican mexico miami michael michigan
middle might miles military miller milling million millions minds miner mingle minimum mining
minister ministry mino minor minority minors minot minute minutes mirror missed missing mission
mistake mistakes mixed moaning mobile model models modern moment moments monday mondays mondo
money mong mongol monitor mono monster month monthly months moral morgan mornin morning mornings
mortgage moscow mostly mother motion motor mount mountain mountains mourning mouth moved
movement moves movie movies moving muddle multi multiple murder muscle museum music musical
muslim muslims myself mystery naked named names narrative narrow nation national nations native
natural naturally nature nearby nearly necessarily necessary needed needs negan negative
neighborhood neither nervous nesting network networks neuer neve never newer newly newspaper
nicht nigh night nights nobody noise norah norma normal normally normals norman norte north
northern noted notes nothing notice noticed novel november nowhere nuclear number numbers
numerous nurse obama oberlin object objects observed obtain obtained obvious obviously ocala
occasion occasionally occur occurred ocean october offensive offer offered offering offers
office officer officers offices official officially officials often older olympic olympics
online opened opening opens operate operating operation operations opinion opinions
opportunities opportunity opposed opposite opposition option options oracles orang orange
oranges order ordered orders ordinary organic organization organizations organized origin
original originally other others otherwise ought ourselves output outside outstanding overall
owned owner owners ownership oxford pacific package pages paint painting pairs pakistan palace
pales pallet panel pants papal paper papers paras parent parents pari paris parish parking parks
parliament parris pars parse participants participate particular particularly parties partner
partners partnership parts party pasha passed passenger passes passing passion past paste pasts
pasty patient patients patrick pattern patterns paused pauses paying payment payments peace
peachy pearly penalty pennsylvania people percent percentage perch perfect perfectly perform
performance performed performing perhaps period permanent permission person personal personality
personally personnel persons perspective peter phase philadelphia philosophy phone phoned phones
phoney phony photo photography photos physical physics piazza picked picking pickups picture
pictures piece pieces pilot pitch pizza pizzas place placed places plain plane planet planned
planning plans plant plants plastic plate platform played player players playing plays please
pleased pleasure plenty plight poach pocket poetry point pointed points police policies policy
political politicians politics popular population portion position positions positive possession
possibility possible possibly posted posting posts postures potential potentially pounds poverty
power powerful powers practical practice practices prayer preach prefect prefer pregnant premier
premiums prepare prepared presence present presented presents president presidential press
pressure presume pretty prevent preview previews previous previously price prices pride
primarily primary primate prime prince princess principal principles print printed prior
priority prison prisoners private privates prize probably problem problems procedure process
processes processing produce produced producer producing product production productions products
professional professor profile profit program programme programming programs progress project
projects promise promised promote promotion prone proof proper properly properties property
proposal proposed protect protected protection protein protest proud prove proved provide
provided provides providing province pubic public publication published publishing publix pulled
purchase purchased purpose purposes pushed pushing putting pythons qualified quality quarter
quash queen queens queer quest question questions quick quickly quiet quite quote rabbi rabbis
rabbits races racing racist radio railway raise raised raising rand random range rant rape rapid
rarely rates rather rating ratio reach reached reaching reaction readers reading ready reality
realize realized really reason reasonable reasons rebate recall receive received receiving
recent recently recognition recognize recognized recommend recommended record recorded recording
records recovery reds reduce reduced reduction refer reference references referred reflect
reform refunds refuse refused regan regarding regardless region regional regions regis register
registered regret regular regularly regulation regulations reis rejected rejects related
relations relationship relationships relative relatively release released releases relevant
relief religion religious remain remained remaining remains remember remind remote remove
removed remover removes renamed renter repair repeat replace replaced replacement replaces reply
report reported reporting reports represent representative representatives represented
represents republic republican republicans reputation request require required requirements
requires rescue research researchers reserve resident residents resistance resolution resort
resource resources respect respectively respond response responsibility responsible restarts
restaurant resting restored restores result resulted resulting results resumed resumes retail
retired retirement retro return returned returning returns reuse reused reveal revealed revenue
revere reverse review reviews revis revolution rhone richard riddle ridiculous riding right
rights rising river roads robert rocker rocks roger roles rolling roman romantic rong rooms
rough round route routine royal rugby rules running rural russia russian saad sable safes safety
sages saint sakes sala salads salah salam salas sale saleh salem sales salts sample santa sarah
saturday saturdays saved saves saving savings saying scalar scale scales scalia scalp scaly
scared scary scene scenes schedule scheduled scheme school schools science sciences scientific
scientists score scored scores scotland scott scottish screen search season seasons seats
seattle second secondary seconds secret secretary section sector secure security seeing seeking
seemed seems seen select selected selection selling senate senator sending senior sense
sensitive sentence separate september serge series serious seriously serve served server serves
service services serving session sessions setting settle settled settlement seven sever several
severe severed severn sexual shadow shall shame shape shaped share shared shares sharing sharp
sheet shell sherry shift shingle shipping ships shirt shite shock shoes shone shoot shooting
shopping short shortly shots should shoulder showed shower showing shown shows sides sift sight
signal signed significant significantly signing signs silence silent silly silver silvers
silvery similar simon simple simply since singer singing single singled singles singlet singly
sister sisters site sites sitting situation situations sixth skill skills slack sleep sleeping
slight slightly sliver slowest slowly small smaller smalls smart smell smile smite smith smoke
smoking smooth soccer social society software solar soldier soldiers soles solid solution
solutions solve solver somebody somehow someone something sometime sometimes somewhat somewhere
songs sorry sought sound sounds source sources south southern soviet space spain spanish speak
speaker speaking speaks special species specific specifically speech speed spell spend spending
spent spirit spiritual spite split spoke spoken sport sports spread spring squad square squared
squares squire squish stable stables stadium staff stage stages staking stale stall stand
standard standards standing stands staple star stare staring stark starr stars start started
starting starts starz stat state stated statement statements states stating station stations
statistics status stayed staying steal steam steel stephen steps steve stick still stock stolen
stomach stone stood stopped stops storage store stores stories storm story straight strange
strat strategic strategy stream street streets strength stress strike string strong stronger
strongly struck structure structures struggle stuart stuck student students studied studies
studio study studying stuff stupid sturt style styles subject subjects submits subsequent
success successful successfully sucks sudden suddenly suffer suffered suffering sugar suggest
suggested suggests suicide suit suitable suited suites suits summary summer summit sundae sunday
sundays sundry super superior supplies supply support supported supporters supporting supports
suppose supposed supreme surely surface surgery surly surprise surprised surrounding survey
survival survive suspect sven swear sweden sweet swifts swimming switch sword sydney symptoms
syria system systems table taken takes taking talent tales talked talking talks tango target
tart taste tasting tater taught taxes taylor teach teacher teachers teaching teams tears
technica technical technique techniques technology teen teeth tegan telephone television telling
tells temperature temple temporary terms terrible territory tested testing tests texas texting
thank thanks thats theatre thee their theme themselves theory therapy there therefore these
thick thicken thing things think thinking thinks third thirty thomas those though thought
thoughts thousand thousands thread threat three threw through throughout throw throwing thrown
thursday thursdays ticket tickets tight times tingle tired title titles today toffee together
tomorrow tongue tonight tools topic toronto total totally touch tough tournament toward towards
tower towns track tracks trade trading tradition traditional traffic trail train trained
training trans transfer transfers transition translation transport transportation trash travel
treat treated treatment tree trees trend trial triangles trick tried tries troops trouble truck
truly trump trust truth trying tuesday tuesdays turkey turned turning turns twenty twice twitter
types typical typically ultimate ultimately unable uncle under understand understanding
understood unfortunately union unique united units universal universe university unknown unless
unlike until unusual update updated updates upgraded upgrades upper upset urban useful users
using usual usually vacation valid valley valuable value values variety various vega vegans
vegas vegetarians vehicle vehicles verge version victim victims victoria victory video videos
viewed viewers views village violence violent virginia virginian virus visible vision visit
visited visiting visitors visual vital voice volume voted voters votes voting wafer wager waite
waiter waiting wales walked walker walking walled waller wallets walls walter wanna wanted
wanting wants warning washington waste watch watched watching water waters watery waver waves
wayne weakly wealth weapon weapons wearing weather website wedding wednesday wednesdays weekend
weekly weeks weight weird welcome welfare western whatever wheel whenever where whereas whether
which while whilst whine whit white whiter whites whitey whoever whole whose whyte widely widows
wight william williams willing wilson window windows wings winner winners winning winter within
without witness woman women wonder wonderful wondering wong woods words work worked worker
workers working works world worldwide worried worry worse worst worth would wright write writer
writers writing written wrong wrote yards years yellow yellows yesterday young younger yours
yourself youth youtube zealand
"""
