package org.azuremail.web.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Answers requests that reach no page of the service, because they are not HTTP or have an invalid address. The answer
 * is a bare page, or a problem for the API, and has the headers of every page. Public, because Tomcat creates it by
 * name.
 */
public final class BareErrorValve extends ErrorReportValve {

    private static final String PAGE =
            "<!DOCTYPE html>\n<html lang=\"en\"><head><title>%1$s</title></head><body><h1>%1$s</h1>"
                    + "<p>The service could not make sense of this request.</p></body></html>\n";

    private static final String PROBLEM =
            "{\"title\":\"%1$s\",\"status\":%2$d,\"detail\":\"The service could not read this request.\","
                    + "\"type\":\"urn:azuremail:problem:%3$s\",\"code\":\"%3$s\"}";

    private final PageHeaders headers = new PageHeaders();

    @Configuration(proxyBeanMethods = false)
    static class ValveConfiguration {

        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> bareErrors() {
            return factory -> factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(BareErrorValve.class.getName());
                }
            });
        }
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable thrown) {
        int status = response.getStatus();
        if (status < HttpStatus.BAD_REQUEST.value()
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        headers.writeHeaders(request.getRequest(), response.getResponse());
        try {
            write(request, response, status);
        } catch (IOException gone) {
            container.getLogger().debug("nobody reads what is wrong with a request", gone);
        }
    }

    private static void write(Request request, Response response, int status) throws IOException {
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error " + status : known.getReasonPhrase();
        boolean call = String.valueOf(request.getRequestURI()).startsWith("/api/");
        response.setContentType(call ? MediaType.APPLICATION_PROBLEM_JSON_VALUE : "text/html;charset=utf-8");
        byte[] body = (call ? PROBLEM : PAGE)
                .formatted(title, status, known == null ? "error" : ProblemTypes.code(known))
                .getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.finishResponse();
    }
}
