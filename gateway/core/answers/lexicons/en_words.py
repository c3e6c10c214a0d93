"""Common English words that a misspelling of a name or of a yes must not be mistaken for."""

from __future__ import annotations

WORDS = """
ability about above absolutely accent accept accepted accepts access accident according account
accounts across acting action actions active activities activity actual actually added adding
addition additional address administration admins admit adult advanced advantage advice affairs
afraid africa african afrika after afternoon afternoons again against agency agent agree agreed
agreement ahead aight airport airs album ales alight alive allo allow allowed allows almost
alone along already alternative although alway always amazing america american americans
americas amin among amount ample analysis ancient angeles animal animals announced annual
another answer anymore anyone anything anyway anywhere apart apparently appeal appear appearance
appeared appears apple apples application applied apply appreciate approach appropriate approved
approves april arch archie archived archives areas argent aris armin around arrived article
articles artist artists asian asic asked asking assistant associated association asta attack
attacks attempt attention attorney audience august augusta auguste augusto australia australian
australis author authority available average avoid avril award awards aware aways awesome back
background balance bales ballet balling bananas bandana banks barge based basic basics basil
basin basis battle beach beautiful beauty became because become becomes becoming before began
begin beginning behavior behind being believe believed bellow below benefit benefits berger
better between beyond biddle bigger biggest bight billings billion binance birth birthday bitch
bitchin bitcoins black blacks blank blight block blood blown board bodies bongo books border
boston bottom bought brain brand brawn break breaking breen bridge bright bring bringing britain
british broke broken bron brother brothers brought brow brown browne browns brows budget bugger
build building buildings built bulger burgers burner business buying cala california called
calling calls camera campaign canada canadian cancels cancer cannot canter capacity capital
captain cards career carried carry cases catch cater caught cause caused cells center centers
central centre century certain certainly chair chairman challenge chance chancel change changed
changes changing channel character characters charge charged charger charges charles cheap check
cheery cheques chicago chickens chief child children china chinese choice choose chris christ
christian christmas church circled circles cities citizens civil clack claim claims class
classes classic clean clear clearly cleary click climate close closed closer clothes coach coast
cocker coffee coffees coffey collection college colo color combined comes coming command comment
comments commercial commission committee common communication communities community companies
company compared competition complete completed completely complex computer concept concerned
condition conditions condon conference confirmed confirms conform congo congress connected
connection consider considered construction contact contains content continue continued
continues contract control conversation corner corning correct costs could council count
countries country county coupe couple couriers course court courtier cover covered crate crazy
crease create created creates creating credit credits crete crime criminal critical cross crowd
crown cultural culture current currently customers daily dairy daisy dales dally daly damage
dance dangerous dating daughter david dearly death debt debut december decide decided decision
decisions decker declined declines defense definitely degree dela deleted deletes deliver
delivers demand democratic demon denny department deplete deploys described description design
designed despite details develop developed development developments device difference different
difficult digital dingle dinner direct direction directly director disabled disables discovered
discussion disease distance district division doable docked dockers docket doctor doing dollars
domestic doo double doubled doubles doubly doubt downer download doze drama drape dream dress
drink drinking drive driver driving dropped drown drugs during each earlier early earth easier
easily eastern eater eating economic economy edition editors education effect effective effects
effort efforts egan eight either eject ejected election electric elements elven email emails
ember emerge emergency emil employees empress enabled enabler enables ended ending enemy energy
engine engineering england english enjoy enough ensure enter entered enterprises entire entirely
entry environment environmental episode equipment especially established estate eternal europa
europe european evening evenings event events eventually ever every everybody everyone
everything evidence exactly example excellent except exchange excited executive exercise exist
existing expect expected expensive experience expert explain exports express extort extra extras
extremely facebook factor facts failed failure faith families family famous fantastic faris
fashion father favorite feature features february federal fedor feeling feelings feels fellow
female festival fever fiance fiddle field fifth fight fighting figure figures filled filling
final finally financed finances financial finding finish finished first fixed flack flight floor
florida flying focus follow followed following follows football force forced forces foreign
forest forever forget formal formed former forms fort forth forward found foundation fourier
fourth france frank freedom french fresh frida friday fridays friend friends fright front frown
fucking fully function funds funny further future gales games gant garden genera general
generale generally generals generation george german germany getting girlfriend girls given
gives giving glass global gmail goals going golan golden gonna google gotta government governor
grace grad grade gran grand grange grant grapes graph grate grated grave graze great greater
greatest greed greek green greene greens greer greet greta gripe grope ground group groups
growing grown growth guard guess guests guide gust hales handle hands happen happened happening
happens happy harry hasta hater having heads health healthy heard hearing heart heavy hello
helped helping helps henry herself higher highest highly himself historical history holding
homes hone honest honestly honor hoping horse hospital hotel hours house houses housing however
human hundred husband ideas ight ignored ignores illegal image images imagine imessage
immediately impact impart important imports impossible improve include included includes
including income increase increased increasing indeed independent india indian individual
individuals industrial industry infernal influence information initial injury inner inside
installs instead instill institute insurance intelligence intended interest interested
interesting internals international internet interval interview introduced investigation
investment invoices involved iphone island israel issue issued issues items itself james january
japan japanese jesus jingle johnson joined joint jones journal judge juiced juices juicy justice
kaka keeping keeps killed killing knight knowing knowledge known knows labor labour lack landon
lange language large larger largest largo larue later latest launch lawyer leach leader leaders
leadership leading league learn learned learning least leave leaves leaving legal lemons length
leon letter level levels lever library light lights liked likely likes limit limited lines links
linus listed listen literally little lived lives living local located location locker london
longer longo looked looking looks losing loudon louis loved lovely lower lowes lucky lying
lyndon mach machine magazine magic mail major majority majors makes making males mall mallet
manage managed management manager managers manages mang manga manger mango mano manor manuals
manuel marc march marco marcy marge margo maris market marketing marriage married marsh martin
massage massive master match mater material materials matter matters maybe mayor meaning means
meant measures meddle media medical medicine mediums meeting megan mellow member members memory
mental mention mentioned merch mere merged merger merges merle merlin message messaged messages
metal method methods mexico michael middle might miles military milling million miner mingle
minimum minister mino minors minot minute minutes missed missing mission mistake moaning mobile
model models modern moment monday mondays mondo money mong mongol mono month months mornin
morning mornings mostly mother mountain mourning mouth moved movement movie movies moving muddle
multiple murder museum music muslim myself named names nation national nations native natural
nature nearly necessary needed needs negan negative neither nesting network neuer neve never
newer nicht nigh night nights nobody norah norma normal normals norman norte north northern
noted notes nothing notice november nuclear number numbers obama oberlin obviously ocala ocean
october offer offered offers office officer officers official officials often older online
opened opening operating operation operations opinion opportunity option options oracles orang
oranges order ordered orders organization organizations original originally other others
otherwise ought outside overall owned owner owners pairs pales pallet papal paper paras parents
pari paris parish parks parliament parris pars parse particular particularly parties partner
parts party pasha passed past paste pasts pasty patient patients paused pauses paying peace
peachy pearly people percent perch perfect performance performed perhaps period person personal
peter phone phoned phones phoney phony photo photos physical piazza picked pickups picture
pictures piece pieces pizzas place placed places plane planet planned planning plans plant
plants plastic platform played player players playing plays please plenty plight poach point
points police policies policy political politics popular population position positive possible
possibly posted postures potential power powerful powers practice preach prefect premiums
prepared presence present presented president press pressure presume pretty prevent preview
previews previous previously price prices primary primate prime prince prior prison private
privates probably problem problems process produce produced product production productions
products professional professor profile profit program programs progress project projects
promise prone proof proper property proposed protect protection proud prove provide provided
provides providing pubic public published publix pulled purchase purpose putting pythons quality
quarter quash queen queens queer quest question questions quick quickly quite rabbi rabbis
rabbits radio raise raised rand range rant rape rates rather reach reached reaction reading
ready reality realize really reason reasons rebate receive received recent recently record
records reds reduce reference refunds regan regarding region regional regis regular reis rejects
related relations relationship relationships release released releases religion religious remain
remains remember remote remove removed remover removes renamed renter replaced replaces report
reported reports republican request require required requires research resources respect
response responsibility responsible restarts restaurant resting restored restores result results
resumed resumes retro return returned reuse reused revere review reviews revis rhone richard
riddle right rights river robert rocker rong round route royal rules running russia russian saad
sable safes safety sages sakes sala salads salah salam salas sale saleh salem sales salts
saturday saturdays saved saves saying scalar scale scales scalia scalp scaly scene schedule
school schools science scientific score scotland scott screen search season second seconds
secret secretary section security seeing seemed seems seen selected selling senate senior sense
separate september serge series serious seriously serve served service services session setting
seven sever several severed severn sexual shall shape share shared sherry shift shingle shite
shoes shone shoot shooting shopping short should showed showing shown shows sides sift sight
signed significant signs silver silvers silvery similar simple simply since single singled
singles singlet singly sister site sites sitting situation skills slack sleep slight slightly
sliver slowest small smaller smalls smart smell smite smith social society software soldiers
soles solid solution solver somebody someone something sometime sometimes somewhere songs sorry
sound sounds source sources south southern space spanish speak speaking special species specific
speech speed spend spending spent spirit spite sport sports spread spring square squared squares
squire squish stables staff stage staking stale stall stand standard standards standing staple
star stare staring stark starr stars start started starting starts starz stat state stated
statement states stating station status staying steel steps steve stick still stock stone
stopped store stories story straight strat strategy street strength stress strong structure
stuart stuck student students studies study stuff stupid sturt style subject submits success
successful suddenly sugar suggest suggested suit suited suites suits summer summit sundae sunday
sundays sundry super supply support supported supporting supports supposed supreme surface surly
surprise surprised survey sven sweet swifts system systems table taken takes taking tales
talking tango target tart taste tasting tater taught teach teacher teachers teaching teams
technica technical technology teen tegan television telling tells terms terrible texas texting
thank thanks thee their themselves theory there therefore these thicken thing things think
thinking thinks third thomas those though thought thoughts thousands three through throughout
throw thursdays tight times tingle tired title today toffee together tomorrow tonight total
totally touch tough toward towards track trade traditional traffic train training transfer
transfers transport travel treat treated treatment tree trees trial triangles tried trouble
truly trump trust truth trying tuesdays turned turning turns twice twitter types unable under
understand understanding union unique united units university unless until update updated
updates upgraded upgrades upper useful users using usually valley value variety various vega
vegans vegas vegetarians vehicle verge version victory video videos viewed viewers views village
violence virginian visit voice volume wafer wager waite waiter waiting wales walking walled
waller wallets walter wanna wanted wants washington waste watch watched watching water waters
watery waver weakly weapons wearing weather website wedding wednesdays weekend weeks weight
weird welcome western whatever where whether which while whine whit white whiter whites whitey
whole whose whyte widows wight william willing window windows winner winning winter within
without woman women wonder wonderful wong words work worked workers working works world worry
worse worst worth would wright write writer writing written wrong wrote years yellow yellows
yesterday young younger yours yourself youth
"""
