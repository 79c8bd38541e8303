package org.azuremail.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.mail.Answer;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.NullMarked;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;

/**
 * The rules about dependencies between packages. Each module with its own classes checks them on all classes that it
 * sees.
 */
public final class ArchitectureRules {

    private static final String PRODUCT = "org.azuremail..";

    private static final Predicate<String> TELLS_WORDS = Pattern.compile("Reason\\.(words|toString|stored)"
                    + "|RecordedOutcome\\.(detail|detailText)|Declaration\\.(detail|detailText)|Consent\\.json")
            .asMatchPredicate();

    private static final Predicate<String> JUDGES_TEXT = Pattern.compile(
                    "String\\.(startsWith|endsWith|contains|matches|equals|equalsIgnoreCase|regionMatches|indexOf)"
                            + "|Pattern\\.(matcher|asPredicate|asMatchPredicate|matches)|Objects\\.equals"
                            + "|(Set|List|Collection)\\.contains|Map\\.containsKey")
            .asMatchPredicate();

    private ArchitectureRules() {}

    /** Returns the product's classes on the class path, without tests. */
    public static JavaClasses product() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("org.azuremail");
    }

    public static List<ArchRule> all() {
        return List.of(
                only("JDBC", "org.azuremail.storage.embedded..", "java.sql..", "javax.sql..", "org.sqlite.."),
                only("the Azure SDK", "org.azuremail.storage.azure..", "com.azure..", "com.microsoft.."),
                only("SendGrid's library", "org.azuremail.transport.sendgrid..", "com.sendgrid.."),
                onlyWebKnowsHttpRequests(),
                onlyTimeReadsClocksAndSleeps(),
                onlyIdMakesIdentities(),
                sharedModelKnowsNoRole(),
                schedulerKnowsNoOtherRole(),
                senderKnowsNoOtherRole(),
                workKnowsNoFeature(),
                storageKnowsNothingAbove(),
                featuresHaveNoCycles(),
                packagesAreNullMarked(),
                configurationsMakeNoProxies(),
                namesSayWhatThingsAre(),
                nothingIsInjectedIntoFields(),
                nobodyDecidesByASentence(),
                ourOwnReasonsAreCodes(),
                everyCodeHasWords());
    }

    private static ArchRule only(String what, String owner, String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(owner)
                .should()
                .dependOnClassesThat(resideInAnyPackage(packages))
                .as("only " + owner + " knows " + what);
    }

    private static ArchRule onlyWebKnowsHttpRequests() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("org.azuremail.web..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "jakarta.servlet..",
                        "org.springframework.web..",
                        "org.springframework.http..",
                        "org.springframework.security..",
                        "org.thymeleaf.."))
                .as("only web knows servlets, MVC, sign-in and templates of pages");
    }

    private static ArchRule onlyTimeReadsClocksAndSleeps() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("org.azuremail.time..")
                .should()
                .callMethodWhere(target("java\\.time\\..*", "now")
                        .or(target("java\\.time\\.(Clock|InstantSource)", "system.*|tick.*"))
                        .or(target("java\\.lang\\.System", "currentTimeMillis|nanoTime"))
                        .or(target("java\\.lang\\.Thread|java\\.util\\.concurrent\\.TimeUnit", "sleep")))
                .orShould()
                .callConstructor(Date.class)
                .as("only org.azuremail.time reads clocks and sleeps");
    }

    private static ArchRule onlyIdMakesIdentities() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("org.azuremail.id..")
                .should()
                .callMethodWhere(target("java\\.util\\.UUID", "randomUUID"))
                .orShould()
                .dependOnClassesThat(is(SecureRandom.class))
                .as("only org.azuremail.id makes random identities");
    }

    private static DescribedPredicate<JavaMethodCall> target(String owner, String method) {
        Predicate<String> owners = Pattern.compile(owner).asMatchPredicate();
        Predicate<String> methods = Pattern.compile(method).asMatchPredicate();
        return DescribedPredicate.describe(
                owner + " " + method,
                call -> methods.test(call.getName())
                        && owners.test(call.getTargetOwner().getName()));
    }

    private static DescribedPredicate<JavaClass> is(Class<?> type) {
        return JavaClass.Predicates.type(type);
    }

    private static ArchRule sharedModelKnowsNoRole() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(
                        "org.azuremail.web..",
                        "org.azuremail.scheduler..",
                        "org.azuremail.sender..",
                        "org.azuremail.transport..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "org.azuremail.web..",
                        "org.azuremail.scheduler..",
                        "org.azuremail.sender..",
                        "org.azuremail.transport.."))
                .as("the shared model knows none of the roles");
    }

    private static ArchRule schedulerKnowsNoOtherRole() {
        return noClasses()
                .that()
                .resideInAPackage("org.azuremail.scheduler..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "org.azuremail.web..", "org.azuremail.sender..", "org.azuremail.transport.."))
                .allowEmptyShould(true)
                .as("the scheduler knows neither web nor sender");
    }

    private static ArchRule senderKnowsNoOtherRole() {
        return noClasses()
                .that()
                .resideInAnyPackage("org.azuremail.sender..", "org.azuremail.transport..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.azuremail.web..", "org.azuremail.scheduler.."))
                .allowEmptyShould(true)
                .as("the sender knows neither web nor scheduler");
    }

    private static ArchRule workKnowsNoFeature() {
        return noClasses()
                .that()
                .resideInAPackage("org.azuremail.work..")
                .should()
                .dependOnClassesThat(resideInAPackage(PRODUCT)
                        .and(not(resideInAnyPackage(
                                "org.azuremail.work..",
                                "org.azuremail.storage",
                                "org.azuremail.storage.version",
                                "org.azuremail.time..",
                                "org.azuremail.id..",
                                "org.azuremail.reason..",
                                "org.azuremail.app.."))))
                .as("work knows no feature");
    }

    private static ArchRule storageKnowsNothingAbove() {
        return noClasses()
                .that()
                .resideInAPackage("org.azuremail.storage..")
                .should()
                .dependOnClassesThat(resideInAPackage(PRODUCT)
                        .and(not(resideInAnyPackage(
                                "org.azuremail.storage..", "org.azuremail.time..", "org.azuremail.app.."))))
                .as("storage knows nothing of what stands on it");
    }

    /** Returns the rule about cycles. It leaves out the one class that puts all parts together. */
    private static ArchRule featuresHaveNoCycles() {
        return SlicesRuleDefinition.slices()
                .matching("org.azuremail.(*)..")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(is(CoreConfiguration.class), resideInAPackage(PRODUCT));
    }

    private static ArchRule packagesAreNullMarked() {
        return classes().should(new ArchCondition<>("stand in a package whose package-info says @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(type, type.getPackageName() + " is not @NullMarked"));
                }
            }
        });
    }

    private static ArchRule configurationsMakeNoProxies() {
        return classes()
                .that()
                .areAnnotatedWith(Configuration.class)
                .should(new ArchCondition<>("say proxyBeanMethods = false") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        if (type.getAnnotationOfType(Configuration.class).proxyBeanMethods()) {
                            events.add(SimpleConditionEvent.violated(type, type.getName() + " makes proxies"));
                        }
                    }
                });
    }

    private static ArchRule namesSayWhatThingsAre() {
        return noClasses()
                .should()
                .haveNameMatching(".*(Impl|Helper|Utils?|Manager)(\\$.*)?")
                .orShould()
                .resideInAnyPackage("..util..", "..common..", "..helper..", "..manager..", "..impl..")
                .as("names say what things are");
    }

    /**
     * Returns the rule that a method which calls for a reason's words or stored form, and its lambdas, neither parses
     * nor compares text.
     */
    private static ArchRule nobodyDecidesByASentence() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("org.azuremail.reason..")
                .should(new ArchCondition<>("decide by the words of a reason") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        Map<String, List<JavaMethodCall>> calls = type.getMethodCallsFromSelf().stream()
                                .collect(Collectors.groupingBy(
                                        call -> method(call.getOrigin().getName())));
                        calls.forEach((method, all) -> {
                            if (all.stream().anyMatch(ArchitectureRules::tellsWords)
                                    && all.stream().anyMatch(ArchitectureRules::judgesText)) {
                                events.add(SimpleConditionEvent.satisfied(type, type.getName() + "." + method));
                            }
                        });
                    }
                });
    }

    /** Returns the name of the method that contains a lambda. */
    private static String method(String name) {
        return name.startsWith("lambda$") ? name.split("\\$")[1] : name;
    }

    private static boolean tellsWords(JavaMethodCall call) {
        return TELLS_WORDS.test(call.getTargetOwner().getSimpleName() + "." + call.getName());
    }

    private static boolean judgesText(JavaMethodCall call) {
        return JUDGES_TEXT.test(call.getTargetOwner().getSimpleName() + "." + call.getName());
    }

    /**
     * Returns the rule that only classes which pass on the words of a server, a provider or a person may store such
     * words.
     */
    private static ArchRule ourOwnReasonsAreCodes() {
        return noClasses()
                .that()
                .haveNameNotMatching("org\\.azuremail\\.(reason|transport)\\..*"
                        + "|.*\\.(Answer|Unavailable|TestMails|SubscriptionApi|SubscriberSuppressionPages)(\\$.*)?")
                .should()
                .callMethod(Reason.class, "ofText", String.class)
                .orShould()
                .callConstructor(Answer.Refused.class, String.class)
                .orShould()
                .callConstructor(Answer.RetryAfter.class, Duration.class, String.class)
                .as("our own reasons are codes");
    }

    private static ArchRule everyCodeHasWords() {
        ResourceBundle words = ResourceBundle.getBundle("messages", Locale.ROOT);
        return classes().that().implement(Reason.Code.class).should(new ArchCondition<>("have words for each code") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Object code : type.reflect().getEnumConstants()) {
                    if (!words.containsKey("reason." + code)) {
                        events.add(SimpleConditionEvent.violated(type, "no words for " + code));
                    }
                }
            }
        });
    }

    private static ArchRule nothingIsInjectedIntoFields() {
        return noFields()
                .should()
                .beAnnotatedWith(Autowired.class)
                .orShould()
                .beAnnotatedWith(Value.class)
                .as("dependencies come through constructors, settings as records");
    }
}
