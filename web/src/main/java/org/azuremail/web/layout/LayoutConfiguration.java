package org.azuremail.web.layout;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.message.MessageRef;
import org.springframework.beans.PropertyAccessException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.core.convert.ConversionService;
import org.springframework.format.FormatterRegistry;
import org.springframework.validation.BindingResult;
import org.springframework.validation.DefaultBindingErrorProcessor;
import org.springframework.validation.Validator;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.servlet.FlashMapManager;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.view.RedirectView;
import org.thymeleaf.spring6.SpringTemplateEngine;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
record LayoutConfiguration(PageFrame frame) implements WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        Stream.of(frame, new FormFiles())
                .forEach(ofPages -> registry.addInterceptor(ofPages).excludePathPatterns("/api/**"));
    }

    @Bean
    static WebMvcRegistrations prefixHandlerMapping() {
        return new WebMvcRegistrations() {
            @Override
            public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
                return new PrefixHandlerMapping();
            }
        };
    }

    /**
     * Lets Spring answer 400 to a value that our checkboxes never send and without which a page cannot show the form.
     */
    private static final class StrictBindingErrors extends DefaultBindingErrorProcessor {

        @Override
        public void processPropertyAccessException(PropertyAccessException mismatch, BindingResult form) {
            throw mismatch;
        }
    }

    /**
     * Binds only the fields that a form declares, so that a name like {@code email.class} reaches nothing else. An
     * {@code @InitBinder} would do the same, but Spring would read its annotations at each request.
     */
    @Bean
    static ConfigurableWebBindingInitializer declarativeBinding(
            @Qualifier("mvcConversionService") ConversionService conversion,
            @Qualifier("mvcValidator") Validator validator) {
        ConfigurableWebBindingInitializer forms = new ConfigurableWebBindingInitializer();
        forms.setConversionService(conversion);
        forms.setValidator(validator);
        forms.setDeclarativeBinding(true);
        forms.setBindingErrorProcessor(new StrictBindingErrors());
        return forms;
    }

    private static final Pattern NOT_ASCII = Pattern.compile("\\P{ASCII}+");

    /**
     * Prevents Spring from treating {@code {x}} in the address of a redirect as a variable, and failing because the
     * variable has no value. Encodes letters outside ASCII as browsers do, because Tomcat drops a header that contains
     * them.
     */
    @Bean
    static BeanPostProcessor literalRedirects() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof RedirectView redirect) {
                    redirect.setExpandUriTemplateVariables(false);
                    redirect.setUrl(NOT_ASCII
                            .matcher(Objects.requireNonNull(redirect.getUrl()))
                            .replaceAll(letters -> URLEncoder.encode(letters.group(), StandardCharsets.UTF_8)));
                }
                return bean;
            }
        };
    }

    /** Keeps the notice for the next page in a cookie. Spring MVC would keep it in a servlet session. */
    @Bean
    static FlashMapManager flashMapManager(JsonMapper json, AzureMailProperties settings) {
        return new NoticeCookie(json, "https".equals(settings.publicUrl().getScheme()));
    }

    /** Returns the texts of the pages, in the language of the request that the thread handles. */
    @Bean
    static MessageSourceAccessor words(MessageSource texts) {
        return new MessageSourceAccessor(texts);
    }

    /**
     * Sets how pages write links before the first page is shown, because the template engine then accepts no settings.
     */
    @Bean
    static SmartInitializingSingleton pageLinks(SpringTemplateEngine pages) {
        return () -> pages.setLinkBuilder(new PageLinks());
    }

    /** Converts the numbers of messages in addresses. Other names are converted by their constructors. */
    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(String.class, MessageRef.class, text -> MessageRef.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("not the number of a message")));
    }
}
