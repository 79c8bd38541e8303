package org.azuremail.web.account;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.mail.EmailAddress;
import org.azuremail.work.instance.Instances;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * The command for the operator when nobody can sign in any more:
 * {@code --azuremail.command=reset-password --email=ann@example.org} prints a link with which a new password is chosen.
 * It starts neither pages nor workers, and works beside a running service.
 */
@EnableAutoConfiguration
@Import({CoreConfiguration.class, AccountStoreConfiguration.class})
public class LostPassword {

    /** The fact of an instance under which its address stands. */
    static final String PUBLIC_URL = "public-url";

    private static final String COMMAND = "--azuremail.command=reset-password";
    private static final String EMAIL = "--email=";

    private LostPassword() {}

    public static boolean wanted(String[] arguments) {
        return List.of(arguments).contains(COMMAND);
    }

    /** Does it and returns the text to print. */
    public static String run(String[] arguments) {
        String[] quietly = append(arguments, "--azuremail.roles=", "--logging.level.root=warn");
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(LostPassword.class)
                .web(WebApplicationType.NONE)
                .run(quietly)) {
            Accounts accounts = context.getBean(Accounts.class);
            AzureMailProperties settings = context.getBean(AzureMailProperties.class);
            Optional<EmailAddress> email = email(arguments);
            return email.filter(address -> accounts.find(address).isPresent())
                    .map(address -> accounts.link(OneTimeLink.Kind.RESET, address, "reset-password"))
                    .map(secret -> "Choose a new password within one hour: " + address(context, settings)
                            + "/welcome?token=" + secret.text())
                    .orElseGet(() -> "There is no such account. Say --email=<address>; accounts are: "
                            + accounts.all().stream().map(Account::email).toList());
        }
    }

    /** Returns the address of the service that runs; the settings of this command may know nothing of its port. */
    private static String address(ConfigurableApplicationContext context, AzureMailProperties settings) {
        return context.getBean(Instances.class).known().stream()
                .flatMap(instance -> Optional.ofNullable(instance.facts().get(PUBLIC_URL)).stream())
                .reduce((earlier, later) -> later)
                .orElse(settings.publicUrl().toString());
    }

    private static Optional<EmailAddress> email(String[] arguments) {
        return List.of(arguments).stream()
                .filter(argument -> argument.startsWith(EMAIL))
                .findFirst()
                .flatMap(argument -> EmailAddress.parse(argument.substring(EMAIL.length())));
    }

    private static String[] append(String[] arguments, String... more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return all;
    }
}
