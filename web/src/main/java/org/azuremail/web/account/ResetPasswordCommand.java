package org.azuremail.web.account;

import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.mail.EmailAddress;
import org.azuremail.work.instance.Instances;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * The command for an operator when no admin can sign in:
 * {@code --azuremail.command=reset-password --email=ann@example.org} prints a link for choosing a new password. It
 * starts neither pages nor workers, and can run beside the service.
 */
@EnableAutoConfiguration
@Import({CoreConfiguration.class, AccountStoreConfiguration.class})
public class ResetPasswordCommand {

    /** The name of the fact that contains the address of an instance. */
    static final String PUBLIC_URL = "public-url";

    private static final String COMMAND = "reset-password";

    private ResetPasswordCommand() {}

    public static boolean wanted(String[] arguments) {
        return COMMAND.equals(new SimpleCommandLinePropertySource(arguments).getProperty("azuremail.command"));
    }

    public static String run(String[] arguments) {
        String[] quietly = Stream.concat(
                        Stream.of(arguments), Stream.of("--azuremail.roles=", "--logging.level.root=warn"))
                .toArray(String[]::new);
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ResetPasswordCommand.class)
                .web(WebApplicationType.NONE)
                .run(quietly)) {
            Accounts accounts = context.getBean(Accounts.class);
            AzureMailProperties settings = context.getBean(AzureMailProperties.class);
            String email = new SimpleCommandLinePropertySource(arguments).getProperty("email");
            return EmailAddress.parse(email == null ? "" : email)
                    .filter(address -> accounts.find(address).isPresent())
                    .map(address -> accounts.link(OneTimeLink.Kind.RESET, address, COMMAND))
                    .map(secret -> "Choose a new password within one hour: " + address(context, settings)
                            + "/welcome?token=" + secret.text())
                    .orElseGet(() -> "There is no such account. Say --email=<address>; accounts are: "
                            + accounts.all().stream().map(Account::email).toList());
        }
    }

    /** Returns the address of the running service, whose port may be missing from the settings of this command. */
    private static String address(ConfigurableApplicationContext context, AzureMailProperties settings) {
        return context.getBean(Instances.class).known().stream()
                .flatMap(instance -> Optional.ofNullable(instance.facts().get(PUBLIC_URL)).stream())
                .reduce((earlier, later) -> later)
                .orElse(settings.publicUrl().toString());
    }
}
