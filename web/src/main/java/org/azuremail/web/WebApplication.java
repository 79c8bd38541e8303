package org.azuremail.web;

import org.azuremail.app.CoreConfiguration;
import org.azuremail.app.OutOfMemoryHandler;
import org.azuremail.web.account.ResetPasswordCommand;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The web role; by default it also runs the scheduler and the sender in the same process. */
@SpringBootApplication
@Import(CoreConfiguration.class)
public class WebApplication {

    public static void main(String[] args) {
        OutOfMemoryHandler.install();
        if (ResetPasswordCommand.wanted(args)) {
            System.out.println(ResetPasswordCommand.run(args));
        } else {
            SpringApplication.run(WebApplication.class, args);
        }
    }
}
